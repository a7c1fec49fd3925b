import type { ExportFormat } from '#contract/metric-params.ts';
import type { MetricPosition, StoredMetric } from '#db/queries/metrics.ts';

/** Each format has one record per line. Only line breaks in the stored payload are replaced. */
interface RecordFormat {
  prefix: string;
  formatRecord: (metric: StoredMetric) => string;
  separator: string;
  suffix: string;
}

const RECORD_FORMATS: Record<ExportFormat, RecordFormat> = {
  ndjson: { prefix: '', formatRecord: toJson, separator: '\n', suffix: '\n' },
  json: { prefix: '[\n', formatRecord: toJson, separator: ',\n', suffix: '\n]\n' },
  csv: {
    // Spreadsheets read UTF-8 only after a byte order mark.
    prefix: '\uFEFFid,received_at,payload\r\n',
    formatRecord: (metric) =>
      `${metric.id},${timeOf(metric)},"${toSingleLine(metric.payload).replaceAll('"', '""')}"`,
    separator: '\r\n',
    suffix: '\r\n',
  },
};

const EMPTY_EXPORTS: Record<ExportFormat, string> = {
  ndjson: '',
  json: '[]\n',
  csv: RECORD_FORMATS.csv.prefix,
};

export async function* formatRecords(
  batches: AsyncIterable<StoredMetric[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { prefix, formatRecord, separator, suffix } = RECORD_FORMATS[format];
  let isEmpty = true;
  for await (const batch of batches) {
    yield (isEmpty ? prefix : separator) + batch.map(formatRecord).join(separator);
    isEmpty = false;
  }
  yield isEmpty ? EMPTY_EXPORTS[format] : suffix;
}

function toJson(metric: StoredMetric): string {
  return `{"id":"${metric.id}","received_at":"${timeOf(metric)}","payload":${toSingleLine(metric.payload)}}`;
}

/** To the millisecond, as every time in a response. Only cursors need the stored microseconds. */
export function timeOf({ received_at }: MetricPosition): string {
  return received_at.replace(/\d{3}Z$/, 'Z');
}

/** JSON has unescaped line breaks only between tokens, where a space is equivalent. */
function toSingleLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ');
}
