import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { DIRECT_REFERRER, OTHER_VALUE, type VisitKind } from '#contract/shared/visits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { readAccountSettings } from '#db/queries/accounts.ts';
import { countEventsByType } from '#db/queries/events.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { listTopVisits, listVisitDays } from '#db/queries/page-visits.ts';
import type { ServerWeekSummary, SummariesSoFar, Week, WeekSummary } from './describe-week.ts';
import { latestWeek } from './latest-week.ts';

/** The summaries among the types of events, with the days since the last one. */
export async function summarizeDaysSoFar(
  db: ReadDatabase,
  accountId: string,
  types: readonly string[],
): Promise<SummariesSoFar> {
  const { time_zone } = await readAccountSettings(db, accountId);
  const now = new Date();
  const lastDay = Date.parse(latestWeek(now, time_zone).until);
  const days = { since: utcDay(lastDay + DAY_MS), until: utcDay(now.getTime()) };
  return {
    ...(types.includes('week_summary') && {
      week_summary: await summarizeWeek(db, accountId, days),
    }),
    ...(types.includes('server_week_summary') && {
      server_week_summary: await summarizeServerWeek(db, accountId, days),
    }),
  };
}

export async function summarizeWeek(
  db: ReadDatabase,
  accountId: string,
  week: Week,
): Promise<WeekSummary> {
  const days = await listVisitDays(db, accountId, week);
  // The first referrer may be `direct`.
  const topVisits = await listTopVisits(db, accountId, { ...week, limit: 2 });
  const findTop = (wanted: VisitKind) => {
    const top = topVisits.find(
      ({ kind, value }) => kind === wanted && value !== DIRECT_REFERRER && value !== OTHER_VALUE,
    );
    return top ? { value: top.value, count: top.count } : null;
  };
  const types = ['contact_message_received'] as const;
  const events = await countEventsByType(db, accountId, { ...week, types });
  return {
    ...week,
    views: days.reduce((sum, { views }) => sum + views, 0),
    clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
    top_link: findTop('link'),
    top_referrer: findTop('referrer'),
    messages: events.contact_message_received,
  };
}

export async function summarizeServerWeek(
  db: ReadDatabase,
  accountId: string,
  week: Week,
): Promise<ServerWeekSummary> {
  const types = ['member_joined', 'member_left', 'page_reported', 'backup_failed'] as const;
  const events = await countEventsByType(db, accountId, { ...week, types });
  const { finished_at } = await findLastBackup(db);
  return {
    ...week,
    joined: events.member_joined,
    left: events.member_left,
    reports: events.page_reported,
    failed_backups: events.backup_failed,
    last_backup_at: finished_at?.toISOString() ?? null,
  };
}
