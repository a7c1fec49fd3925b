import { DAY_MS } from '#contract/shared/durations.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** New pages are kept out of search engines for a week, so that spam pages are not worthwhile. */
const NOINDEX_DAYS = 7;

/** When search engines may start to list the page of an account. */
export function listedFromOf(accountCreatedAt: Date, { TRUST_ACCOUNTS }: Config): Date {
  const days = TRUST_ACCOUNTS === 'true' ? 0 : NOINDEX_DAYS;
  return new Date(accountCreatedAt.getTime() + days * DAY_MS);
}
