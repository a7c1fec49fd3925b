/** Kinds of daily sums: totals first, then what a view or click is divided by. */
const VISIT_KINDS = ['view', 'click', 'referrer', 'device', 'country', 'link'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

/** Classes of devices. */
const DEVICES = ['phone', 'tablet', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

/** Referrer of a view without one. */
export const DIRECT_REFERRER = 'direct';
/** Value that stands for all that are beyond the limit of a day, and for what cannot be told. */
export const OTHER_VALUE = 'other';
