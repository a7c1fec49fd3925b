import { type ResponseOf, owner } from '#dashboard/api/api.ts';

export type Report = ResponseOf<typeof owner.reports.listReports>['reports'][number];

/** Reports of one page, which are decided together. The first one stands for all of them. */
export type ReportGroup = [Report, ...Report[]];

/** In the order of their first reports. */
export function groupReports(reports: readonly Report[]): ReportGroup[] {
  const groups = Map.groupBy(reports, ({ closed_at, account_id }) => `${account_id} ${closed_at}`);
  return [...groups.values()] as ReportGroup[];
}

/**
 * Ids of all reports in the group of `report`, also of those that are not loaded yet. Leaves out
 * newer reports, which the operator has not seen.
 */
export async function listGroupIds({
  account_id,
  closed_at,
  created_at,
}: Report): Promise<string[]> {
  const ids: string[] = [];
  const state = closed_at === null ? 'open' : 'closed';
  for await (const report of owner.reports.listReports({ account_id, state }))
    if (report.closed_at === closed_at && report.created_at <= created_at) ids.push(report.id);
  return ids;
}

export function isPageHidden({ account_suspended, page_suspended }: Report): boolean {
  return account_suspended || page_suspended;
}

/** Whether the page is still hidden by the decision about the report. */
export function isStillHidden(report: Report): boolean {
  return (
    isPageHidden(report) &&
    report.closed_at !== null &&
    report.outcome !== 'dismissed' &&
    report.ended_at === null
  );
}
