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
