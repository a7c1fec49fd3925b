import { z } from 'zod';
import { defineEndpoints } from '../define-endpoints.ts';
import { DAY_MS } from '../durations.ts';
import { LIMITS } from '../limits.ts';
import { success } from '../result-fields.ts';
import { invalidField } from '../refusal.ts';
import { AUTHENTICATED_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import { DIRECT_REFERRER, OTHER_VALUE } from '../visits.ts';

const SINCE = 'since must be a day like 2026-01-01.';
const UNTIL = 'until must be a day like 2026-01-31.';
const RANGE = `since must not be after until, and they must not be more than ${LIMITS.visitorDays} days apart.`;
const LIMIT = `limit must be a whole number from 1 to ${LIMITS.visitorList}.`;
const COUNTING = 'counting must be true or false.';

/** A day of a year that calendars and databases agree about. */
const sentDay = (message: string) =>
  z.iso
    .date(message)
    .refine((day) => /^(?:19[7-9]|[2-9]\d)/.test(day), message)
    .meta({ maxLength: 10 });

const since = sentDay(SINCE).meta({
  description: 'The first day, in UTC.',
  examples: ['2026-01-01'],
});
const until = sentDay(UNTIL).meta({
  description: 'The last day, in UTC.',
  examples: ['2026-01-31'],
});

const day = (description: string) =>
  z.iso.date().meta({ description, maxLength: 10, examples: ['2026-01-31'] });

const count = (description: string, example = 12) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const counting = z.boolean().meta({
  description: 'Whether views and clicks are counted.',
  examples: [true],
});

const DescribeVisitorsResponse = z
  .object({
    counting,
    first_day: day('The first day with a view, in UTC; null if there is none.').nullable(),
    days: count('Number of days (UTC) that the sums are kept. 0 keeps them forever.', 730),
    countries: z.boolean().meta({
      description: 'Whether the server is told the countries of visitors.',
      examples: [false],
    }),
  })
  .meta({ id: 'DescribeVisitorsResponse', description: 'The state of counting.' });

const UpdateCountingRequest = z
  .object({ counting: z.boolean(COUNTING).meta({ ...counting.meta() }) })
  .meta({ id: 'UpdateCountingRequest', description: 'Whether to count views and clicks.' });

const UpdateCountingResponse = z
  .object({ success, counting })
  .meta({ id: 'UpdateCountingResponse', description: 'Whether views and clicks are counted now.' });

const QueryVisitorsRequest = z
  .object({
    since,
    until,
    compare: z
      .boolean('compare must be true or false.')
      .default(false)
      .meta({
        description: 'Whether to return the previous period of the same length, too.',
        examples: [true],
      }),
    limit: z
      .int(LIMIT)
      .min(1, LIMIT)
      .max(LIMITS.visitorList, LIMIT)
      .default(10)
      .meta({ description: 'Maximum number of entries of each list.', examples: [10] }),
  })
  .refine((asked) => isRange(asked), { error: RANGE, path: ['since'] })
  .meta({ id: 'QueryVisitorsRequest', description: 'A query of views and clicks.' });

function isRange(asked: { since: string; until: string }): boolean {
  const days = (Date.parse(asked.until) - Date.parse(asked.since)) / DAY_MS;
  return days >= 0 && days < LIMITS.visitorDays;
}

const VisitorsOfDay = z
  .object({
    day: day('The day, in UTC.'),
    views: count('The number of views.'),
    clicks: count('The number of clicks on links.', 3),
  })
  .meta({ id: 'VisitorsOfDay', description: 'The views and clicks of a day.' });

const VisitorsEntry = z
  .object({
    value: z.string().meta({
      description: `A host, an address, a class or a code. \`${OTHER_VALUE}\` stands for all beyond the ${LIMITS.visitValues} values of a day, and for what cannot be told.`,
      maxLength: LIMITS.countedLink,
      examples: ['news.example'],
    }),
    count: count('How often.'),
  })
  .meta({ id: 'VisitorsEntry', description: 'A value and how often it was counted.' });

const list = (description: string) =>
  z.array(VisitorsEntry).meta({ description, maxItems: LIMITS.visitorList });

const period = {
  since: day('The first day.'),
  until: day('The last day.'),
  days: z
    .array(VisitorsOfDay)
    .meta({ description: 'Every day, oldest first.', maxItems: LIMITS.visitorDays }),
  views: count('The number of views.', 93),
  clicks: count(
    'The number of clicks on links. Browsers that send no pings, such as Firefox, are not counted.',
    17,
  ),
};

const QueryVisitorsResponse = z
  .object({
    ...period,
    links: list('Addresses of links by clicks, most first.'),
    referrers: list(
      `Hosts that visitors came from by views, most first. \`${DIRECT_REFERRER}\` if they named none.`,
    ),
    devices: list('Classes of devices by views: `phone`, `tablet` or `desktop`.'),
    countries: list(
      'Countries by views, as two-letter codes of ISO 3166. Empty without a proxy that tells them.',
    ),
    previous: z
      .object(period)
      .meta({ id: 'VisitorsPeriod', description: 'Views and clicks of a period.' })
      .nullable()
      .meta({
        description: 'The previous period of the same length. Null unless requested with compare.',
        examples: [null],
      }),
  })
  .meta({ id: 'QueryVisitorsResponse', description: 'Views and clicks.' });

const ExportVisitorsQuery = z.object({ since: since.optional(), until: until.optional() });

const VisitorsExport = z.unknown().meta({
  id: 'VisitorsExport',
  type: 'string',
  contentMediaType: 'text/csv',
  description: 'A table with the columns kind, day, value and count.',
});

const sinceInvalid = invalidField('since', 'The first day is not valid, or after the last.', SINCE);
const untilInvalid = invalidField('until', 'The last day is not valid.', UNTIL);

/** Views of the page and clicks on its links: sums of days, and nothing about a visitor. */
export const visitors = {
  ...defineEndpoints(QUERY_DEFAULTS, {
    queryVisitors: {
      method: 'POST',
      path: '/owner/visitors/query-visitors',
      summary: 'Query views and clicks',
      description:
        'Returns the views of the page and the clicks on its links, by day and in total, with the most frequent links, referrers, devices and countries. It changes nothing.',
      body: QueryVisitorsRequest,
      responses: { 200: QueryVisitorsResponse },
      metadata: { failure: 'The visitors could not be summed up.', scope: 'read', readOnly: true },
    },
  }),
  ...defineEndpoints(AUTHENTICATED_DEFAULTS, {
    describeVisitors: {
      method: 'GET',
      path: '/owner/visitors/describe-visitors',
      summary: 'Describe views and clicks',
      description:
        'Returns whether views and clicks are counted, since when there are any, and for how long they are kept. Only sums of days are stored, nothing about a visitor.',
      responses: { 200: DescribeVisitorsResponse },
      metadata: { failure: 'The visitors could not be described.' },
    },
    exportVisitors: {
      method: 'GET',
      path: '/owner/visitors/export-visitors',
      summary: 'Export views and clicks',
      description:
        'Streams the sums of days as CSV. Kinds are `view`, `click`, `referrer`, `device`, `country` and `link`; the first two have no value.',
      query: ExportVisitorsQuery,
      responses: { 200: VisitorsExport },
      metadata: {
        failure: 'The visitors could not be exported.',
        file: ['text/csv'],
        refusals: { sinceInvalid, untilInvalid },
      },
    },
    updateCounting: {
      method: 'POST',
      path: '/owner/visitors/update-counting',
      summary: 'Turn counting on or off',
      description:
        'While it is off, neither views nor clicks are counted, and links send no pings. Sums that are there stay.',
      body: UpdateCountingRequest,
      responses: { 200: UpdateCountingResponse },
      metadata: { failure: 'Counting could not be changed.', idempotent: true },
    },
  }),
};
