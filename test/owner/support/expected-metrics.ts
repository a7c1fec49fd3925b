import type { Measure, MetricFilter } from '#contract/metric-query.ts';

export interface Row {
  /** Unix time in milliseconds. */
  at: number;
  payload: unknown;
}

/** The value at a path, or undefined if it is missing or null. */
export function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const key of path) {
    if (Array.isArray(value))
      value = /^-?\d+$/.test(key) ? (value as unknown[]).at(Number(key)) : undefined;
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key))
      value = (value as Record<string, unknown>)[key];
    else return undefined;
  }
  return value ?? undefined;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < 1e100 ? value : undefined;
}

export function matchesFilter(
  payload: unknown,
  { path, is, value: filterValue }: MetricFilter,
): boolean {
  const value = valueAt(payload, path);
  const numericValue = toNumber(value);
  switch (is) {
    case 'eq':
      return value === filterValue;
    case 'ne':
      return value !== filterValue;
    case 'gt':
      return numericValue !== undefined && numericValue > Number(filterValue);
    case 'gte':
      return numericValue !== undefined && numericValue >= Number(filterValue);
    case 'lt':
      return numericValue !== undefined && numericValue < Number(filterValue);
    case 'lte':
      return numericValue !== undefined && numericValue <= Number(filterValue);
    case 'contains':
      return typeof value === 'string' && value.includes(String(filterValue));
    case 'exists':
      return value !== undefined;
    case 'missing':
      return value === undefined;
  }
}

/** The result of a measure. It has a tolerance, because floating-point sums depend on the order. */
export function computeResult(
  rows: readonly Row[],
  { path, aggregate }: Measure,
): { value: number | null; tolerance: number } {
  const values = rows
    .map(({ payload }) => valueAt(payload, path))
    .filter((value) => value !== undefined);
  const numbers = values.map(toNumber).filter((number) => number !== undefined);
  const sum = numbers.reduce((total, number) => total + number, 0);
  const magnitude = numbers.reduce((total, number) => total + Math.abs(number), 0);
  const exactResult = (value: number | null) => ({ value, tolerance: 0 });
  switch (aggregate) {
    case 'count':
      return exactResult(values.length);
    case 'sum':
      return { value: sum, tolerance: magnitude * 1e-9 };
    case 'avg':
      if (numbers.length === 0) return exactResult(null);
      return { value: sum / numbers.length, tolerance: (magnitude / numbers.length) * 1e-9 };
    case 'min':
      return exactResult(numbers.length === 0 ? null : Math.min(...numbers));
    case 'max':
      return exactResult(numbers.length === 0 ? null : Math.max(...numbers));
    case 'last':
      return exactResult(numbers.at(-1) ?? null);
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function bucketKey(time: number, timeZone: string, unit: string): string {
  let format = formats.get(timeZone);
  if (!format)
    formats.set(
      timeZone,
      (format = new Intl.DateTimeFormat('en', {
        timeZone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'longOffset',
      })),
    );
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, timeZoneName } = parts;
  switch (unit) {
    case 'month':
      return `${year}-${month}`;
    case 'week': {
      const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
      return date.toISOString().slice(0, 10);
    }
    case 'day':
      return `${year}-${month}-${day}`;
    case 'hour':
      return `${year}-${month}-${day} ${hour} ${timeZoneName}`;
    default:
      return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
  }
}
