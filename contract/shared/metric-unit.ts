import { numberFormat } from './intl-formats.ts';

/** A field of metrics and how its values are combined. */
export interface MetricMeasure {
  path?: readonly string[] | undefined;
  aggregate?: string | undefined;
}

const UNITS = new Map<string, Intl.NumberFormatOptions>([
  ['ms', unit('millisecond')],
  ['s', unit('second')],
  ['seconds', unit('second')],
  ['bytes', unit('byte')],
  ['percent', unit('percent')],
  ['celsius', unit('celsius')],
  ['eur', currency('EUR')],
  ['usd', currency('USD')],
  ['gbp', currency('GBP')],
  ['chf', currency('CHF')],
]);
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

function unit(name: string): Intl.NumberFormatOptions {
  return { style: 'unit', unit: name };
}

function currency(code: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency: code, minimumFractionDigits: 2 };
}

/** The unit at the end of a field's name, as in Prometheus: `eur` for `total_eur` and `total.eur`. */
export function metricUnit({ path = [], aggregate }: MetricMeasure): string | undefined {
  if (aggregate === 'count' || aggregate === 'distinct') return undefined;
  const [, suffix = ''] = /_([a-z]+)$/.exec(path.join('_')) ?? [];
  return UNITS.has(suffix) ? suffix : undefined;
}

/** The default aggregate: a sum of response times means little, but their average is useful. */
export function usualAggregate(path: readonly string[]): 'sum' | 'avg' {
  const { style, unit: name } = UNITS.get(metricUnit({ path }) ?? '') ?? {};
  return style === 'unit' && name !== 'byte' ? 'avg' : 'sum';
}

/** Returns a function that formats values with the unit of the measure. */
export function metricFormat(
  measure: MetricMeasure,
  locale: string,
  options: Intl.NumberFormatOptions = { maximumFractionDigits: 2 },
): (value: number) => string {
  const suffix = metricUnit(measure) ?? '';
  const formatFor = (unitOptions?: Intl.NumberFormatOptions) =>
    numberFormat(locale, {
      trailingZeroDisplay: 'stripIfInteger',
      ...options,
      ...unitOptions,
    });
  if (suffix !== 'bytes') {
    const format = formatFor(UNITS.get(suffix));
    return (value) => format.format(value);
  }
  const formats = BYTE_UNITS.map((name) => formatFor(unit(name)));
  return (value) => {
    const power = Math.floor(Math.log10(Math.abs(value) || 1) / 3);
    const index = Math.min(Math.max(0, power), formats.length - 1);
    return formats[index]!.format(value / 1_000 ** index);
  };
}
