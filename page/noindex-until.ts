import { DAY_MS } from '#contract/durations.ts';

/** When search engines are no longer asked to wait with the page of a new account. */
export function noindexUntil(accountCreatedAt: Date, noindexDays: number): Date {
  return new Date(accountCreatedAt.getTime() + noindexDays * DAY_MS);
}
