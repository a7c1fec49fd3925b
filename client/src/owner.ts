import type { Requester } from './api-promise.ts';
import { Owner } from './generated/owner-operations.ts';

/**
 * Returns the operations for account owners. They use the key, retries and errors of the client.
 *
 * @example
 * ```ts
 * const owner = ownerOf(new Nameplate());
 * const { keys } = await owner.keys.listKeys();
 * ```
 */
export function ownerOf(client: Requester): Owner {
  return new Owner(client);
}

/**
 * Iterates over the rows of a download in the format `ndjson`, without holding all of them in memory.
 * Leaving the loop stops the download.
 *
 * @example
 * ```ts
 * const download = owner.metrics.exportMetrics({ project_id });
 * for await (const row of readRows(download)) console.log(row);
 * ```
 */
export async function* readRows<Row = Record<string, unknown>>(
  download: Response | PromiseLike<Response>,
): AsyncGenerator<Row, void> {
  const { body } = await download;
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (
      let chunk = await reader?.read();
      chunk?.value !== undefined;
      chunk = await reader?.read()
    ) {
      const lines = (text + chunk.value).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Row;
    }
    if (text !== '') yield JSON.parse(text) as Row;
  } finally {
    await reader?.cancel();
  }
}

export type * from './generated/owner-operations.ts';
