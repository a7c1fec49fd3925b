import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { memory } from './measure.ts';
import type { Running } from './processes.ts';
import type { Seeded } from './seed.ts';

const CONCURRENCY = 32;

/** The SDK's `MetricsBuffer`, in a process of its own, beside `fetch` in a plain loop. */
export async function compareSdk(
  { child, base }: Running,
  { apiKey, projectId }: Pick<Seeded, 'apiKey' | 'projectId'>,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Record<string, string | number>[]> {
  const rates: { fetch: number[]; buffer: number[] } = { fetch: [], buffer: [] };
  for (let round = 0; round <= rounds; round += 1)
    for (const way of ['fetch', 'buffer'] as const) {
      const args = ['bench/sdk-client.ts', way, base, apiKey, projectId, `${CONCURRENCY}`];
      const { stdout } = await promisify(execFile)(process.execPath, [...args, `${seconds}`]);
      if (round > 0) rates[way].push(Number(stdout));
      process.stderr.write(`SDK ${way} ${stdout}/s\n`);
    }
  const [plain, buffer] = [middle(rates.fetch), middle(rates.buffer)];
  const row = { endpoint: 'metrics of the SDK', at: CONCURRENCY, 'memory MB': await memory(child) };
  return [
    { ...row, server: 'fetch', 'requests/s': plain },
    { ...row, server: 'buffer', 'requests/s': buffer, ratio: Number((buffer / plain).toFixed(2)) },
  ];
}

function middle(rates: readonly number[]): number {
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]!;
}
