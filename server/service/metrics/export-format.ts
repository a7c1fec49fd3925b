import type { ExportFormat } from '../../../contract/metric-range.ts';
import type { StoredMetric } from '../../../db/queries/metrics/metrics.ts';

/** How records are written: one a line in every format, their payloads as they are stored. */
interface Writer {
  begin: string;
  record: (metric: StoredMetric) => string;
  between: string;
  end: string;
}

const WRITERS: Record<ExportFormat, Writer> = {
  ndjson: { begin: '', record: toJson, between: '\n', end: '\n' },
  json: { begin: '[\n', record: toJson, between: ',\n', end: '\n]\n' },
  csv: { begin: 'id,received_at,payload\r\n', record: toCsv, between: '\r\n', end: '\r\n' },
};

/** Nothing was exported: what the format says then. */
const EMPTY: Record<ExportFormat, string> = {
  ndjson: '',
  json: '[]\n',
  csv: WRITERS.csv.begin,
};

/** Turns pages of records into text, a chunk for each page. */
export async function* writeRecords(
  pages: AsyncIterable<StoredMetric[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { begin, record, between, end } = WRITERS[format];
  let empty = true;
  for await (const page of pages) {
    yield (empty ? begin : between) + page.map(record).join(between);
    empty = false;
  }
  yield empty ? EMPTY[format] : end;
}

function toJson({ id, received_at, payload }: StoredMetric): string {
  return `{"id":"${id}","received_at":"${received_at}","payload":${inOneLine(payload)}}`;
}

/** RFC 4180. */
function toCsv({ id, received_at, payload }: StoredMetric): string {
  return `${id},${received_at},"${inOneLine(payload).replaceAll('"', '""')}"`;
}

/** Line breaks in JSON text can only stand between its tokens, where a space means the same. */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ');
}
