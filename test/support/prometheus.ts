/** Matches the line that a server prints at startup. */
export const METRICS_URL_PATTERN = /Prometheus finds metrics at (\S+\/metrics)/;

/**
 * Returns a server's Prometheus metrics, keyed by `name` or `name{label="value"}`. Throws if a line is
 * invalid.
 */
export async function readMetrics(url: string): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  for (const line of await readLines(url)) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, series, value] = /^([a-z_:][a-z\d_:]*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
    if (series === undefined) throw new Error(`not a valid sample: ${line}`);
    values.set(series, Number(value));
  }
  return values;
}

/** Reads the names of all metrics, with or without a value. A histogram has three names. */
export async function readMetricNames(url: string): Promise<Set<string>> {
  const names = (await readLines(url)).flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    return type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix)
      : [name];
  });
  return new Set(names);
}

async function readLines(url: string): Promise<string[]> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return (await response.text()).split('\n');
}
