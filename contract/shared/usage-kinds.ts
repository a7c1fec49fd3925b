import { t } from './translatable.ts';

/** The kinds of an account's usage that operators see, with labels. Each kind has its own limit. */
export const USAGE_LABELS = {
  metric_bytes_today: t('Metrics today'),
  response_bytes: t('Stored responses'),
  picture_bytes: t('Pictures'),
  events: t('Events'),
  projects: t('Projects'),
  keys: t('Keys'),
  names_held_back: t('Names held back'),
  name_changes_today: t('Name changes today'),
} as const;

export type UsageKind = keyof typeof USAGE_LABELS;
export const USAGE_KINDS = Object.keys(USAGE_LABELS) as UsageKind[];
