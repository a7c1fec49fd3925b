import type { UsageKind } from '#contract/owner/operator-accounts.ts';
import type { Config } from '#server/settings/config.ts';

const MEGABYTE = 1_000_000;

/** Limits that accounts of strangers have, far beyond what a person does in good faith. */
const STRANGERS = {
  answerBytes: 1_000 * MEGABYTE,
  events: 10_000,
  heldBackNames: 3,
  nameChangesPerDay: 10,
  uploadsPerHour: 30,
  domainsPerDay: 5,
};
const UNLIMITED = {
  answerBytes: 0,
  events: 0,
  heldBackNames: 0,
  nameChangesPerDay: 0,
  uploadsPerHour: 0,
  domainsPerDay: 0,
};

/** Allowances of an account; 0 is any amount. */
export interface Allowances {
  /** Bytes of metrics that it may submit in a day. */
  metricBytesPerDay: number;
  /** Bytes of answers that are stored for it at a time. */
  answerBytes: number;
  events: number;
  projects: number;
  /** Keys that are not revoked. */
  keys: number;
  /** Bytes of its pictures. */
  pictureBytes: number;
  /** Names that it left and that are held back from others, at a time. */
  heldBackNames: number;
  nameChangesPerDay: number;
  /** New picture files in an hour; a refused file counts as five. */
  uploadsPerHour: number;
  /** Domains verified in a day; 0 also turns off the limits that protect the certificate authority's quota. */
  domainsPerDay: number;
}

/** The allowance that bounds each kind of usage. */
export const ALLOWANCES: Readonly<Record<UsageKind, keyof Allowances>> = {
  metric_bytes_today: 'metricBytesPerDay',
  answer_bytes: 'answerBytes',
  picture_bytes: 'pictureBytes',
  events: 'events',
  projects: 'projects',
  keys: 'keys',
  names_held_back: 'heldBackNames',
  name_changes_today: 'nameChangesPerDay',
};

/** Allowances according to the settings. */
export function allowancesOf(config: Config): Allowances {
  return {
    metricBytesPerDay: config.METRICS_MB_PER_DAY * MEGABYTE,
    projects: config.PROJECTS_PER_ACCOUNT,
    keys: config.KEYS_PER_ACCOUNT,
    pictureBytes: config.PICTURES_MB_PER_ACCOUNT * MEGABYTE,
    ...(config.TRUST_ACCOUNTS === 'true' ? UNLIMITED : STRANGERS),
  };
}
