import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';

/** Whoever waits longer may ask again before. */
const LONGEST_MS = 365 * DAY_MS;

/** The day that it is, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Wait of a refusal until the next day, in UTC. */
export function waitingUntilTomorrow(): ReturnType<typeof waiting> {
  return waiting(DAY_MS - (Date.now() % DAY_MS));
}

/** Wait of a refusal, as a text and as a header. */
export function waiting(milliseconds: number): { wait: string; headers: Record<string, string> } {
  const seconds = Math.max(1, Math.ceil(Math.min(milliseconds, LONGEST_MS) / 1_000));
  return { wait: inWords(seconds * 1_000), headers: { 'retry-after': String(seconds) } };
}

function inWords(milliseconds: number): string {
  const [length, unit] = (
    [
      [DAY_MS, 'day'],
      [HOUR_MS, 'hour'],
      [MINUTE_MS, 'minute'],
    ] as const
  ).find(([each]) => milliseconds > 2 * each) ?? [1_000, 'second'];
  const count = Math.ceil(milliseconds / length);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
