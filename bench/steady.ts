import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Load } from './loads.ts';
import { ask } from './measure.ts';
import type { Running } from './processes.ts';

/** How long answers took, in milliseconds, and how many there were in a second. */
export interface Steady {
  p50: number;
  p99: number;
  rate: number;
}

/**
 * Asks so many times a second for so many seconds, whether the answers before have come or not, as many
 * callers who know nothing of each other do: at times that are random and on average the rate. An
 * answer took as long as it was waited for since the time at which it was to be asked for.
 */
export async function askSteadily(
  { base }: Pick<Running, 'base'>,
  load: Load & { rate: number },
  seconds: number,
): Promise<Steady> {
  const { connections, rate } = load;
  const pool = new Pool(base, { connections });
  const took = createHistogram();
  const askAt = async (at: number) => {
    await ask(pool, load);
    took.record(Math.max(1, Math.round((performance.now() - at) * 1_000)));
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  let at = began;
  while ((at += (-Math.log(1 - Math.random()) / rate) * 1_000) < began + seconds * 1_000) {
    const early = at - performance.now();
    if (early > 0) await sleep(early);
    asked.push(askAt(at));
  }
  await Promise.all(asked);
  const rateMet = took.count / ((performance.now() - began) / 1_000);
  await pool.close();
  const milliseconds = (percent: number) => Math.round(took.percentile(percent) / 100) / 10;
  return { p50: milliseconds(50), p99: milliseconds(99), rate: rateMet };
}
