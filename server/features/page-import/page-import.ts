import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Block } from '#contract/block.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { FairQueue } from '#server/limits/fair-queue.ts';
import { errorCode } from '#server/outbound/errors.ts';
import type { ExtractedPage } from './extracted-page.ts';

/** Per account. More requests could make a service block this server. */
const MAX_IMPORTS_PER_HOUR = 30;
/** Only malicious pages exceed these limits of time and memory. */
const READ_MS = 5_000;
const READ_MEGABYTES = 128;
const READ_LIMIT_CODES: ReadonlySet<string> = new Set(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY']);

/** Blocks as the site stores them, with ids. */
type ImportedPage = Omit<ExtractedPage, 'blocks'> & { blocks: Block[] };

/** Limited, because each import needs a connection, a worker thread and some megabytes. */
const importQueue = new FairQueue({
  gate: 'page-imports',
  maxRunning: 4,
  maxWaiting: 40,
  waitTimeoutMs: 2_000,
});

const importCounts = new LRUCache<string, number>({ max: 10_000, ttl: HOUR_MS, noUpdateTTL: true });

/** Returns the time to wait in milliseconds if the account made too many imports. */
export function countImport(accountId: string): number | undefined {
  const count = (importCounts.get(accountId) ?? 0) + 1;
  importCounts.set(accountId, count);
  return count > MAX_IMPORTS_PER_HOUR ? importCounts.getRemainingTTL(accountId) : undefined;
}

/** `fetch` runs when a slot is free. Returns undefined if the source exceeds the limits of time or memory. */
export function importPage(
  accountId: string,
  fetch: () => Promise<string>,
): Promise<ImportedPage | undefined> {
  return importQueue.run(accountId, async () => {
    const found = await extractInWorker(await fetch());
    return (
      found && {
        ...found,
        blocks: found.blocks.map((block) => ({ ...block, id: randomUUID(), enabled: true })),
      }
    );
  });
}

/** Parses untrusted input in a worker thread, which can be terminated. */
async function extractInWorker(source: string): Promise<ExtractedPage | undefined> {
  const thread = new Worker(new URL('./extract-page-worker.ts', import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: READ_MEGABYTES },
  });
  try {
    const signal = AbortSignal.timeout(READ_MS);
    const [found] = (await once(thread, 'message', { signal })) as [ExtractedPage];
    return found;
  } catch (error) {
    if (READ_LIMIT_CODES.has(errorCode(error))) return undefined;
    throw error;
  } finally {
    // Without a listener, an error event ends the process.
    thread.on('error', () => {});
    await thread.terminate();
  }
}
