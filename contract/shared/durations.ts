export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long a mailed or printed login link can be used. */
export const LOGIN_LINK_MINUTES = 10;

/** A date in UTC, as `YYYY-MM-DD`. Default: today. */
export function utcDay(time = Date.now()): string {
  return new Date(time).toISOString().slice(0, 10);
}
