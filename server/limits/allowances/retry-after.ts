import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';

const MAX_WAIT_MS = 365 * DAY_MS;

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function retryAfterMidnight(): ReturnType<typeof retryAfter> {
  return retryAfter(DAY_MS - (Date.now() % DAY_MS));
}

export function retryAfter(milliseconds: number): {
  wait: string;
  headers: Record<string, string>;
} {
  const seconds = Math.max(1, Math.ceil(Math.min(milliseconds, MAX_WAIT_MS) / 1_000));
  return { wait: formatDuration(seconds * 1_000), headers: { 'retry-after': String(seconds) } };
}

function formatDuration(milliseconds: number): string {
  const [unitMs, unit] = (
    [
      [DAY_MS, 'day'],
      [HOUR_MS, 'hour'],
      [MINUTE_MS, 'minute'],
    ] as const
  ).find(([ms]) => milliseconds > 2 * ms) ?? [1_000, 'second'];
  const count = Math.ceil(milliseconds / unitMs);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
