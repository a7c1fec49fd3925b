import { DAY_MS } from '#contract/durations.ts';

/** Returns when search engines may start to list the page of a new account. */
export function noindexUntil(accountCreatedAt: Date, noindexDays: number): Date {
  return new Date(accountCreatedAt.getTime() + noindexDays * DAY_MS);
}
