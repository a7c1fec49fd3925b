/** The kinds of an account's usage that operators see, with labels. Each kind has its own limit. */
export const USAGE_LABELS = {
  metric_bytes_today: 'Metrics today',
  response_bytes: 'Stored responses',
  picture_bytes: 'Pictures',
  events: 'Events',
  projects: 'Projects',
  keys: 'Keys',
  names_held_back: 'Names held back',
  name_changes_today: 'Name changes today',
} as const;

export type UsageKind = keyof typeof USAGE_LABELS;
export const USAGE_KINDS = Object.keys(USAGE_LABELS) as UsageKind[];
