import { randomUUID } from 'node:crypto';
import { MetricsBuffer, Nameplate } from '../client/src/index.ts';

/** Sends metrics for so many seconds and says how many a second were stored. */
const [way, base, apiKey, projectId, concurrency, seconds] = process.argv.slice(2) as [
  way: 'fetch' | 'buffer',
  base: string,
  apiKey: string,
  projectId: string,
  concurrency: string,
  seconds: string,
];
const metric = { projectId, payload: { visitors: 42, page: '/', tags: ['a', 'b'] } };
const began = performance.now();
const isOver = () => performance.now() - began > Number(seconds) * 1_000;

const stored = way === 'buffer' ? await throughBuffer() : await throughFetch();
process.stdout.write(`${Math.round(stored / ((performance.now() - began) / 1_000))}`);

async function throughFetch(): Promise<number> {
  let count = 0;
  const send = async () => {
    while (!isOver()) {
      const answer = await fetch(`${base}/stats/ingest-metrics`, {
        method: 'POST',
        headers: {
          'x-api-key': apiKey,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(metric),
      });
      await answer.json();
      if (!answer.ok) throw new Error(`answered ${answer.status}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, send));
  return count;
}

/** As many are added as are sent, so that there are always some to send. */
async function throughBuffer(): Promise<number> {
  const client = new Nameplate({ apiKey, baseUrl: base });
  const buffer = new MetricsBuffer(client, {
    concurrency: Number(concurrency),
    flushInterval: 1,
    onSent: () => {
      if (!isOver()) buffer.add(metric);
    },
  });
  for (let index = 0; index < 2 * Number(concurrency); index += 1) buffer.add(metric);
  while (buffer.size > 0) await buffer.flush();
  if (buffer.dropped > 0) throw new Error(`${buffer.dropped} were dropped`);
  return buffer.sent;
}
