import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Block } from '#contract/block.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { FairQueue } from '#server/limits/fair-queue.ts';
import { codeOf } from '#server/outbound/errors.ts';
import type { ExtractedPage } from './extracted-page.ts';

/** Imports of an account in an hour: more could make a service refuse this server. */
const MAX_IMPORTS_PER_HOUR = 30;
/** Time and memory limits of reading a page: what takes longer is made to take long. */
const READ_MS = 5_000;
const READ_MEGABYTES = 128;
const READ_LIMIT_CODES: ReadonlySet<string> = new Set(['ABORT_ERR', 'ERR_WORKER_OUT_OF_MEMORY']);

/** A page that was read, with blocks as the site stores them. */
type ImportedPage = Omit<ExtractedPage, 'blocks'> & { blocks: Block[] };

/** Reading takes a thread and some megabytes, and fetching a connection. */
const importQueue = new FairQueue({
  gate: 'page-imports',
  slots: 4,
  waiting: 40,
  patienceMs: 2_000,
});

const importCounts = new LRUCache<string, number>({ max: 10_000, ttl: HOUR_MS, noUpdateTTL: true });

/** Counts an import of an account; how long it has to wait, in milliseconds, if there were too many. */
export function countImport(accountId: string): number | undefined {
  const count = (importCounts.get(accountId) ?? 0) + 1;
  importCounts.set(accountId, count);
  return count > MAX_IMPORTS_PER_HOUR ? importCounts.getRemainingTTL(accountId) : undefined;
}

/** Reads the source that `fetch` gives when it is the account's turn; undefined if it cannot be read. */
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

/** Has a thread read a page, and ends it if that takes too long: what is in it is a stranger's. */
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
    if (READ_LIMIT_CODES.has(codeOf(error))) return undefined;
    throw error;
  } finally {
    // An error without a listener ends the process.
    thread.on('error', () => {});
    await thread.terminate();
  }
}
