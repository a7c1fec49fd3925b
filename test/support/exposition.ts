/** Where a server says that its metrics are. */
export const METRICS_ADDRESS = /Prometheus finds metrics at (\S+\/metrics)/;

/** Reads the metrics of a server: values by `name` or `name{label="value"}`. Throws at a line that is none. */
export async function readMetrics(url: string): Promise<Map<string, number>> {
  const exposed = new Map<string, number>();
  for (const line of await readLines(url)) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, series, value] = /^([a-z_:][a-z\d_:]*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
    if (series === undefined) throw new Error(`not a sample: ${line}`);
    exposed.set(series, Number(value));
  }
  return exposed;
}

/** The names of its metrics, also of those that have no value yet; of a histogram those of its parts. */
export async function readMetricNames(url: string): Promise<Set<string>> {
  const names = (await readLines(url)).flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name];
  });
  return new Set(names);
}

async function readLines(url: string): Promise<string[]> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return (await response.text()).split('\n');
}
