/** Kinds of daily counts: total views and clicks, then breakdowns of them. */
const VISIT_KINDS = [
  'view',
  'click',
  'referrer',
  'source',
  'campaign',
  'device',
  'country',
  'link',
] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

const DEVICES = ['phone', 'tablet', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

/** Breakdowns of the counts in responses. */
export const VISITOR_LISTS = [
  'links',
  'referrers',
  'sources',
  'campaigns',
  'devices',
  'countries',
] as const;
export type VisitorList = (typeof VISITOR_LISTS)[number];

/** Stored as the referrer of views that have none. */
export const DIRECT_REFERRER = 'direct';
/** Collects values that are unknown, or beyond the daily limit of distinct values. */
export const OTHER_VALUE = 'other';
