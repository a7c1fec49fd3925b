import { DAY_MS } from '#contract/shared/durations.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** New pages are kept out of search engines for a week, so that spam pages are not worthwhile. */
const NOINDEX_DAYS = 7;

/** When search engines may start to list the page of an account. */
export function listedFromOf(accountCreatedAt: Date, config: Config): Date {
  return new Date(accountCreatedAt.getTime() + waitMs(config));
}

/** Search engines may list the pages of accounts that were created before. */
export function newestListedAccount(config: Config): Date {
  return new Date(Date.now() - waitMs(config));
}

function waitMs({ TRUST_ACCOUNTS }: Config): number {
  return TRUST_ACCOUNTS === 'true' ? 0 : NOINDEX_DAYS * DAY_MS;
}
