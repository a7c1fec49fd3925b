import { execFile, type ExecFileException } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Block } from '#contract/block.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import type { ExtractedPage, extractPage } from './extract-page.ts';

/** If an account could send more requests, a service might block this server. */
const MAX_IMPORTS_PER_HOUR = 30;
/** Only malicious pages exceed these limits, even on a busy machine. */
const EXTRACT_TIMEOUT_MS = 20_000;
const EXTRACT_MEMORY_MB = 128;

type ExtractInput = Parameters<typeof extractPage>;
type ImportedPage = Omit<ExtractedPage, 'blocks'> & { blocks: Block[] };

/** Limited, because each import needs a connection, a process and its memory. */
const importQueue = new FairQueue({
  gate: 'page-imports',
  maxRunning: 4,
  maxWaiting: 40,
  waitTimeoutMs: 2_000,
});

const importCounter = new HourlyCounter();

/** Returns the time to wait in milliseconds if the account has made too many imports. */
export function countImport(accountId: string): number | undefined {
  return importCounter.addWithin(MAX_IMPORTS_PER_HOUR, accountId);
}

/**
 * Calls `fetch` when a slot is free. Resolves to undefined if extracting the page takes too much
 * time or memory.
 */
export function importPage(
  accountId: string,
  fetch: () => Promise<string>,
  pageUrl?: string,
): Promise<ImportedPage | undefined> {
  return importQueue.run(accountId, async () => {
    const page = await extractInProcess(await fetch(), pageUrl);
    return page && { ...page, blocks: page.blocks.map((one) => ({ ...one, id: randomUUID() })) };
  });
}

/**
 * Parses untrusted input in its own process, because a worker thread that runs out of memory can
 * abort the whole server. Resolves to undefined if a limit ended the process.
 */
async function extractInProcess(...input: ExtractInput): Promise<ExtractedPage | undefined> {
  const script = fileURLToPath(new URL('./extract-page-process.ts', import.meta.url));
  const extraction = promisify(execFile)(
    process.execPath,
    [`--max-old-space-size=${EXTRACT_MEMORY_MB}`, script],
    { env: {}, timeout: EXTRACT_TIMEOUT_MS, killSignal: 'SIGKILL' },
  );
  // Writing fails only if the process has ended.
  extraction.child.stdin!.on('error', () => {}).end(JSON.stringify(input));
  const { stdout } = await extraction.catch((error: ExecFileException) => {
    if (!error.signal) throw error;
    return { stdout: '' };
  });
  return stdout ? (JSON.parse(stdout) as ExtractedPage) : undefined;
}
