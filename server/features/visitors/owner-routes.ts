import { Readable } from 'node:stream';
import type { visitors } from '#contract/owner/visitors.ts';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import type { VisitKind, VisitorList } from '#contract/shared/visits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import {
  type DayRange,
  findFirstVisitDay,
  listDailyCounts,
  listTopVisits,
  listVisitDays,
} from '#db/queries/page-visits.ts';
import { findSiteChoices, saveSiteChoices } from '#db/queries/sites.ts';
import type { Core } from '#server/core.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { exportVisits } from './export-visits.ts';

const KIND_BY_LIST: Readonly<Record<VisitorList, VisitKind>> = {
  links: 'link',
  referrers: 'referrer',
  sources: 'source',
  campaigns: 'campaign',
  devices: 'device',
  countries: 'country',
};

export function visitorsRoutes({ config, queues }: Core): Handlers<typeof visitors> {
  return {
    getVisitorCounting: async ({ accountId, readDb }) => {
      const [{ counts_visits }, firstDay] = await Promise.all([
        findSiteChoices(readDb, accountId),
        findFirstVisitDay(readDb, accountId),
      ]);
      return {
        counting: counts_visits,
        first_day: firstDay ?? null,
        days: config.VISITOR_DAYS,
        countries: config.COUNTRY_HEADER !== undefined,
      };
    },

    queryVisitors: async ({ accountId, readDb, body: { since, until, compare, limit, entry } }) => {
      const [current, previous, topVisits, entryDays] = await Promise.all([
        summarizePeriod(readDb, accountId, { since, until }),
        compare ? summarizePeriod(readDb, accountId, previousPeriod({ since, until })) : null,
        listTopVisits(readDb, accountId, { since, until, limit }),
        entry &&
          listDailyCounts(readDb, accountId, {
            since,
            until,
            kind: KIND_BY_LIST[entry.list],
            value: entry.value,
          }),
      ]);
      const topValues = (list: VisitorList) =>
        topVisits
          .filter(({ kind }) => kind === KIND_BY_LIST[list])
          .map(({ value, count }) => ({ value, count }));
      return {
        ...current,
        links: topValues('links'),
        referrers: topValues('referrers'),
        sources: topValues('sources'),
        campaigns: topValues('campaigns'),
        devices: topValues('devices'),
        countries: topValues('countries'),
        entry:
          entry && entryDays ? { ...entry, counts: entryDays.map(({ count }) => count) } : null,
        previous,
      };
    },

    exportVisitors: async ({ accountId, query }) =>
      new WithHeaders(
        { 'content-disposition': 'attachment; filename="visitors.csv"' },
        Readable.from(exportVisits(queues.slowReads.databaseFor(accountId), accountId, query)),
      ),

    updateVisitorCounting: async ({ accountId, db, body: { counting } }) => {
      await saveSiteChoices(db, accountId, { counts_visits: counting });
      return { success: true, counting };
    },
  };
}

async function summarizePeriod(readDb: ReadDatabase, accountId: string, range: DayRange) {
  const days = await listVisitDays(readDb, accountId, range);
  const sum = (field: 'views' | 'clicks') => days.reduce((total, day) => total + day[field], 0);
  return { ...range, days, views: sum('views'), clicks: sum('clicks') };
}

function previousPeriod({ since, until }: DayRange): DayRange {
  const [first, last] = [Date.parse(since), Date.parse(until)];
  return { since: utcDay(2 * first - last - DAY_MS), until: utcDay(first - DAY_MS) };
}
