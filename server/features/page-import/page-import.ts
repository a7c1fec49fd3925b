import { randomUUID } from 'node:crypto';
import type { Block } from '#contract/block.ts';
import { HourlyCounter } from '#server/platform/limits/hourly-counter.ts';
import type { ExtractedPage } from './extract-page.ts';

/** Reading a source blocks the other requests. */
const MAX_IMPORTS_PER_HOUR = 30;

type ImportedPage = Omit<ExtractedPage, 'blocks'> & { blocks: Block[] };

const importCounter = new HourlyCounter();

/** Returns the time to wait in milliseconds if the account has made too many imports. */
export function countImport(accountId: string): number | undefined {
  return importCounter.addWithin(MAX_IMPORTS_PER_HOUR, accountId);
}

/** Returns undefined if the source is too complex. */
export async function importPage(source: string): Promise<ImportedPage | undefined> {
  // Its parsers are loaded by the first import.
  const { extractPage } = await import('./extract-page.ts');
  try {
    const { blocks, left_out } = extractPage(source);
    return { blocks: blocks.map((block) => ({ ...block, id: randomUUID() })), left_out };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
