import type { UsageKind } from '#contract/shared/usage-kinds.ts';
import type { Config } from '#server/platform/settings/config.ts';

export const MEGABYTE = 1_000_000;

/** Generous limits for untrusted accounts: normal use never reaches them. */
const UNTRUSTED = {
  storedResponseByteLimit: 1_000 * MEGABYTE,
  eventLimit: 10_000,
  quarantinedNameLimit: 3,
  nameChangesPerDay: 20,
  uploadsPerHour: 60,
  domainsPerDay: 5,
};
const UNLIMITED = Object.fromEntries(
  Object.keys(UNTRUSTED).map((name) => [name, 0]),
) as typeof UNTRUSTED;

/** Limits of one account. 0 means unlimited. */
export interface Allowances {
  metricBytesPerDay: number;
  /** Total size of the responses stored for idempotency keys. */
  storedResponseByteLimit: number;
  eventLimit: number;
  projectLimit: number;
  keyLimit: number;
  pictureByteLimit: number;
  quarantinedNameLimit: number;
  nameChangesPerDay: number;
  /** A refused file counts as five. */
  uploadsPerHour: number;
  /**
   * Verified domains. 0 also turns off the limits that protect the certificate authority's quota.
   */
  domainsPerDay: number;
}

export const ALLOWANCE_BY_USAGE: Readonly<Record<UsageKind, keyof Allowances>> = {
  metric_bytes_today: 'metricBytesPerDay',
  response_bytes: 'storedResponseByteLimit',
  picture_bytes: 'pictureByteLimit',
  events: 'eventLimit',
  projects: 'projectLimit',
  keys: 'keyLimit',
  names_held_back: 'quarantinedNameLimit',
  name_changes_today: 'nameChangesPerDay',
};

/** In bytes; 0 means unlimited. An operator can set another limit for an account. */
export function effectivePictureLimit(pictureByteLimit: number, limitMb: number | null): number {
  return limitMb === null ? pictureByteLimit : limitMb * MEGABYTE;
}

export function allowancesFromConfig(config: Config): Allowances {
  return {
    metricBytesPerDay: config.METRICS_MB_PER_DAY * MEGABYTE,
    projectLimit: config.PROJECTS_PER_ACCOUNT,
    keyLimit: config.KEYS_PER_ACCOUNT,
    pictureByteLimit: config.PICTURES_MB_PER_ACCOUNT * MEGABYTE,
    ...(config.TRUST_ACCOUNTS === 'true' ? UNLIMITED : UNTRUSTED),
  };
}
