import { z } from 'zod';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { DIRECT_REFERRER, OTHER_VALUE, VISITOR_LISTS } from '#contract/shared/visits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS, QUERY_DEFAULTS } from '../endpoint-defaults.ts';
import {
  field,
  booleanField,
  objectSchema,
  resultSchema,
  textField,
  intParam,
  countField,
  booleanParam,
  enumParam,
  ifValid,
} from '../fields.ts';
import { limitedText } from '../text.ts';
import { EXPORT_REFUSALS } from './account.ts';

/** A day in a year from 1970 to 9999, which JavaScript and PostgreSQL both support. */
const dayParam = (message: string) =>
  z.iso
    .date(message)
    .refine((day) => /^(?:19[7-9]|[2-9]\d)/.test(day), message)
    .meta({ maxLength: 10 });

const since = dayParam('must be a day like 2026-01-01.').meta({
  description: 'The first day, in UTC.',
  examples: ['2026-01-01'],
});
const until = dayParam('must be a day like 2026-01-31.').meta({
  description: 'The last day, in UTC.',
  examples: ['2026-01-31'],
});

const dayField = (description: string) =>
  z.iso.date().meta({ description, maxLength: 10, examples: ['2026-01-31'] });

const counting = booleanField('Whether views and clicks are counted.', true);

const entryFields = {
  list: enumParam(VISITOR_LISTS).meta({
    description: 'The list of the entry.',
    examples: ['referrers'],
  }),
  value: limitedText(LIMITS.trackedLinkUrl).meta({
    description: 'The value of the entry.',
    examples: ['news.example'],
  }),
};

const QueryVisitorsRequest = z
  .object({
    since,
    until,
    compare: booleanParam()
      .default(false)
      .meta({
        description: 'Whether to also return the previous period of the same length.',
        examples: [true],
      }),
    limit: intParam(1, LIMITS.visitorList)
      .default(10)
      .meta({ description: 'The maximum number of entries in each list.', examples: [10] }),
    entry: z.object(entryFields, 'must be an object with list and value.').optional().meta({
      description: 'An entry of a list, to also get its counts by day.',
    }),
  })
  .refine(isValidRange, {
    error: `must not be after until, and they must not be more than ${LIMITS.visitorDays} days apart.`,
    path: ['since'],
    when: ifValid('since', 'until'),
  })
  .meta({ id: 'QueryVisitorsRequest', description: 'A query of views and clicks.' });

function isValidRange({ since: first, until: last }: { since: string; until: string }): boolean {
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS;
  return days >= 0 && days < LIMITS.visitorDays;
}

const VisitorsOfDay = objectSchema('VisitorsOfDay', 'The views and clicks on one day.', {
  day: dayField('The day, in UTC.'),
  views: countField('The number of views.', 12),
  clicks: countField('The number of clicks on links.', 3),
});

const VisitorsEntry = objectSchema('VisitorsEntry', 'A value with its count.', {
  value: textField(
    `The counted value: a URL, host, tag, device class or country code. \`${OTHER_VALUE}\` combines unknown values and those beyond the limit of ${LIMITS.visitValues} distinct values a day.`,
    LIMITS.trackedLinkUrl,
    'news.example',
  ),
  count: countField('How often the value was counted.', 12),
});

const visitorsList = (description: string) =>
  z.array(VisitorsEntry).meta({ description, maxItems: LIMITS.visitorList });

const periodFields = {
  since: dayField('The first day.'),
  until: dayField('The last day.'),
  days: z
    .array(VisitorsOfDay)
    .meta({ description: 'All days of the period, oldest first.', maxItems: LIMITS.visitorDays }),
  views: countField('The number of views.', 93),
  clicks: countField(
    'The number of clicks on links. Browsers that do not support link pings, such as Firefox, are not counted.',
    17,
  ),
};

const TAG_RULES = `In lower case, without invisible characters. Values longer than ${LIMITS.campaignTag} characters, and those with characters such as \`@\` or \`=\`, count as \`${OTHER_VALUE}\`, so that no email address is stored.`;

const ExportVisitorsResponse = z.unknown().meta({
  id: 'ExportVisitorsResponse',
  type: 'string',
  contentMediaType: 'text/csv',
  description: 'A table with the columns kind, day, value and count.',
});

/** Daily counts of page views and link clicks. Nothing about individual visitors is stored. */
export const visitors = {
  ...defineOwnerEndpoints('visitors', QUERY_DEFAULTS, {
    queryVisitors: {
      method: 'POST',
      summary: 'Query views and clicks',
      description:
        'Returns the views of the page and the clicks on its links, by day and in total, with the most frequent links, referrers, sources, campaigns, devices and countries. `entry` adds the daily counts of one of these.',
      body: QueryVisitorsRequest,
      response: resultSchema('Views and clicks.', {
        ...periodFields,
        links: visitorsList('Link URLs by clicks, most clicked first.'),
        referrers: visitorsList(
          `Referring hosts by views, most frequent first. \`${DIRECT_REFERRER}\` if there was no referrer.`,
        ),
        sources: visitorsList(
          `Values of \`utm_source\` in the address of the page by views, most frequent first; of \`ref\` in addresses without \`utm_source\`. ${TAG_RULES}`,
        ),
        campaigns: visitorsList(
          `Values of \`utm_campaign\` in the address of the page by views, most frequent first. ${TAG_RULES}`,
        ),
        devices: visitorsList('Device classes by views: `phone`, `tablet` or `desktop`.'),
        countries: visitorsList(
          'Countries by views, as two-letter ISO 3166 codes. Empty unless a proxy sends them to the server.',
        ),
        entry: objectSchema('VisitorsEntryDays', 'The daily counts of an entry.', {
          ...entryFields,
          counts: z.array(countField('The count on a day.', 12)).meta({
            description: 'The counts on the days of the period, oldest first.',
            maxItems: LIMITS.visitorDays,
          }),
        })
          .nullable()
          .meta({
            description: 'The daily counts of `entry`. Null if the request has none.',
            examples: [null],
          }),
        previous: z
          .object(periodFields)
          .meta({ id: 'VisitorsPeriod', description: 'Views and clicks of a period.' })
          .nullable()
          .meta({
            description:
              'The previous period of the same length. Null unless the request has `compare`.',
            examples: [null],
          }),
      }),
      untrustedFields: 'all',
      failure: 'The visitors could not be queried.',
      scope: 'read',
      readOnly: true,
    },
  }),
  ...defineOwnerEndpoints('visitors', AUTHENTICATED_DEFAULTS, {
    getVisitorCounting: {
      method: 'GET',
      summary: 'Read the counting settings',
      description:
        'Returns whether views and clicks are counted, the first day with data, and the retention period. Only daily counts are stored, nothing about individual visitors.',
      response: resultSchema('The settings and extent of visitor counting.', {
        counting,
        first_day: dayField('The first day with a view (UTC). Null if there is none.').nullable(),
        days: countField(
          'The retention period of the counts in days (UTC). 0 keeps them forever.',
          730,
        ),
        countries: booleanField(
          'Whether the server can see the countries of visitors. This needs a proxy that sends them.',
          false,
        ),
      }),
      failure: 'The counting settings could not be read.',
    },
    exportVisitors: {
      method: 'GET',
      summary: 'Export views and clicks',
      description:
        'Streams the daily counts as CSV. The kinds are `view`, `click`, `referrer`, `source`, `campaign`, `device`, `country` and `link`; the first two have no value.',
      query: {
        since: field('sinceInvalid', since.optional()),
        until: field('untilInvalid', until.optional()),
      },
      response: ExportVisitorsResponse,
      failure: 'The visitors could not be exported.',
      fileTypes: ['text/csv'],
      refusals: EXPORT_REFUSALS,
    },
    updateVisitorCounting: {
      method: 'POST',
      summary: 'Turn counting on or off',
      description:
        'Turns counting on or off. While it is off, no views or clicks are counted, links send no pings, and existing counts are kept.',
      body: { counting: booleanParam().meta({ ...counting.meta() }) },
      response: resultSchema('Whether views and clicks are counted now.', { counting }),
      failure: 'Counting could not be changed.',
      idempotent: true,
    },
  }),
};
