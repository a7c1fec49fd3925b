import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Block } from '#contract/block.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import type { ExtractedPage } from './extracted-page.ts';

/** If an account could send more requests, a service might block this server. */
const MAX_IMPORTS_PER_HOUR = 30;
/** Only malicious pages exceed these limits, even on a busy machine. */
const EXTRACT_TIMEOUT_MS = 20_000;
const EXTRACT_MEMORY_MB = 128;

type ImportedPage = Omit<ExtractedPage, 'blocks'> & { blocks: Block[] };

/** Limited, because each import needs a connection, a process and its memory. */
const importQueue = new FairQueue({
  gate: 'page-imports',
  maxRunning: 4,
  maxWaiting: 40,
  waitTimeoutMs: 2_000,
});

const importCounts = new LRUCache<string, number>({ max: 10_000, ttl: HOUR_MS, noUpdateTTL: true });

/** Returns the time to wait in milliseconds if the account has made too many imports. */
export function countImport(accountId: string): number | undefined {
  const count = (importCounts.get(accountId) ?? 0) + 1;
  importCounts.set(accountId, count);
  return count > MAX_IMPORTS_PER_HOUR ? importCounts.getRemainingTTL(accountId) : undefined;
}

/**
 * Calls `fetch` when a slot is free. Resolves to undefined if extracting the page takes too much
 * time or memory.
 */
export function importPage(
  accountId: string,
  fetch: () => Promise<string>,
): Promise<ImportedPage | undefined> {
  return importQueue.run(accountId, async () => {
    const extractedPage = await extractInProcess(await fetch());
    return (
      extractedPage && {
        ...extractedPage,
        blocks: extractedPage.blocks.map((block) => ({
          ...block,
          id: randomUUID(),
          enabled: true,
        })),
      }
    );
  });
}

/**
 * Parses untrusted input in its own process, because a worker thread that runs out of memory can
 * abort the whole server. Resolves to undefined if a limit killed the process.
 */
async function extractInProcess(source: string): Promise<ExtractedPage | undefined> {
  const child = fork(new URL('./extract-page-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${EXTRACT_MEMORY_MB}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: EXTRACT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const received = once(child, 'message');
  const exited = once(child, 'exit').then(([exitCode]) => {
    // The message can arrive after the exit.
    if (exitCode === 0) return received;
    if (exitCode !== null) throw new Error(`extracting the page failed with exit code ${exitCode}`);
    return [undefined];
  });
  // Sending fails only if the process has ended.
  child.send(source, () => {});
  const [extractedPage] = (await Promise.race([received, exited])) as [ExtractedPage?];
  return extractedPage;
}
