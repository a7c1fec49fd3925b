const DAY_MS = 24 * 60 * 60 * 1_000;

/** When search engines are no longer asked to wait with the page of a new account. */
export function listedFromOf(accountCreatedAt: Date, noindexDays: number): Date {
  return new Date(accountCreatedAt.getTime() + noindexDays * DAY_MS);
}
