import type { ListReportsResponse } from '#client/generated/owner-operations.ts';

export type Report = ListReportsResponse['reports'][number];

/** All reports of one page that are open, or were closed together. */
export type ReportGroup = [Report, ...Report[]];

/** In the order of their first reports. */
export function groupReports(reports: readonly Report[]): ReportGroup[] {
  const groups = Map.groupBy(reports, ({ closed_at, account_id }) => `${account_id} ${closed_at}`);
  return [...groups.values()] as ReportGroup[];
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
