import type { Kysely } from 'kysely';
import type { ExportFormat } from '#contract/metric-params.ts';
import { listMetrics, type StoredMetric } from '#db/queries/metrics/metrics.ts';
import { findProject } from '#db/queries/projects.ts';
import type { Database } from '#db/schema.ts';
import { requireProject } from '../projects/projects.ts';

/** Oldest first. `since` is inclusive, `until` exclusive (both ISO 8601). */
export async function exportMetrics(
  db: Kysely<Database>,
  options: {
    projectId: string;
    format: ExportFormat;
    since?: string | undefined;
    until?: string | undefined;
  },
): Promise<AsyncGenerator<string>> {
  const { format, ...range } = options;
  requireProject(range.projectId, await findProject(db, range.projectId));
  return writeRecords(listMetrics(db, range), format);
}

/** Each format has one record per line. Only line breaks in the stored payload are replaced. */
interface Writer {
  prefix: string;
  formatRecord: (metric: StoredMetric) => string;
  separator: string;
  suffix: string;
}

const WRITERS: Record<ExportFormat, Writer> = {
  ndjson: { prefix: '', formatRecord: toJson, separator: '\n', suffix: '\n' },
  json: { prefix: '[\n', formatRecord: toJson, separator: ',\n', suffix: '\n]\n' },
  csv: {
    prefix: 'id,received_at,payload\r\n',
    formatRecord: toCsv,
    separator: '\r\n',
    suffix: '\r\n',
  },
};

const EMPTY: Record<ExportFormat, string> = {
  ndjson: '',
  json: '[]\n',
  csv: WRITERS.csv.prefix,
};

export async function* writeRecords(
  pages: AsyncIterable<StoredMetric[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { prefix, formatRecord, separator, suffix } = WRITERS[format];
  let isEmpty = true;
  for await (const page of pages) {
    yield (isEmpty ? prefix : separator) + page.map(formatRecord).join(separator);
    isEmpty = false;
  }
  yield isEmpty ? EMPTY[format] : suffix;
}

function toJson({ id, received_at, payload }: StoredMetric): string {
  return `{"id":"${id}","received_at":"${received_at}","payload":${inOneLine(payload)}}`;
}

function toCsv({ id, received_at, payload }: StoredMetric): string {
  return `${id},${received_at},"${inOneLine(payload).replaceAll('"', '""')}"`;
}

/** JSON has unescaped line breaks only between tokens, where a space is equivalent. */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ');
}
