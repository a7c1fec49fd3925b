import type { Block } from '#contract/block.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { type Fields, textOf, integerOf } from '../fields/fields.ts';
import { html } from '../html/html.ts';
import type { Locale } from '../locale.ts';
import {
  AGGREGATES,
  type Aggregate,
  type PageMetric,
  type PageMetricQuery,
} from '../page-metric.ts';
import { areaPath, barPath, linePath } from '../sparkline.ts';
import type { RenderBlock } from './block.ts';

const MAX_METRICS = 20;
const DAYS_RANGE = [1, LIMITS.blockDays] as const;
const DEFAULT_DAYS = 30;
const MAX_PATH_LENGTH = 200;
const MAX_PATH_SEGMENTS = 10;

export function pageMetricQueries(blocks: readonly Block[]): Map<string, PageMetricQuery> {
  const queries = blocks.flatMap((block) => {
    const query = block.type === 'metric' ? queryOf(block) : undefined;
    return query ? [[block.id, query] as const] : [];
  });
  return new Map(queries.slice(0, MAX_METRICS));
}

export function queryOf(block: Fields): PageMetricQuery | undefined {
  const projectId = textOf(block, 'project')?.toLowerCase();
  if (!projectId || !UUID_PATTERN.test(projectId)) return undefined;
  const path = textOf(block, 'field')?.split('.') ?? [];
  if (path.length > MAX_PATH_SEGMENTS || path.join('.').length > MAX_PATH_LENGTH) return undefined;
  return { projectId, path, aggregate: aggregateOf(block), days: daysOf(block) };
}

function daysOf(block: Fields): number {
  return integerOf(block, 'days', DAYS_RANGE) ?? DEFAULT_DAYS;
}

function aggregateOf(block: Fields): Aggregate {
  // Without a field, metrics can only be counted.
  if (!textOf(block, 'field')) return 'count';
  return AGGREGATES.find((name) => name === block['aggregate']) ?? 'sum';
}

/** Falls back to the field path in words, or else to a generic title. */
export function metricTitle(block: Fields, { t }: Locale): string {
  return textOf(block, 'title') ?? fieldLabel(textOf(block, 'field') ?? '') ?? t('Metrics');
}

/** Turns "cart.totalPrice" into "Cart total price". */
function fieldLabel(path: string): string | undefined {
  const label = path
    .replace(
      /(\p{Ll})(\p{Lu}\p{Ll})/gu,
      (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    )
    .replace(/[\s._-]+/g, ' ')
    .trim();
  const [first = ''] = label;
  return label === '' ? undefined : first.toUpperCase() + label.slice(first.length);
}

const SIGN_DISPLAY = { signDisplay: 'negative' } as const;
const EXACT_FORMAT = { ...SIGN_DISPLAY, maximumFractionDigits: 2 } as const;
const FRACTION_FORMAT = { ...SIGN_DISPLAY, maximumSignificantDigits: 3 } as const;
const SHORT_FORMAT = { ...SIGN_DISPLAY, notation: 'compact', maximumFractionDigits: 1 } as const;
const SCIENTIFIC_FORMAT = {
  ...SIGN_DISPLAY,
  notation: 'scientific',
  maximumFractionDigits: 2,
} as const;
const CHANGE_FORMAT = {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
} as const;
const DURATION_FORMAT = { style: 'unit', unitDisplay: 'long' } as const;

/** Shortens numbers whose absolute value is at least a billion or less than 1. */
export function formatNumber(value: number, locale: Locale): string {
  return Math.abs(value) >= 1 && Math.abs(value) < 1e9
    ? locale.formatNumber(value, EXACT_FORMAT)
    : formatShortNumber(value, locale);
}

export function formatShortNumber(value: number, locale: Locale): string {
  const magnitude = Math.abs(value);
  if (magnitude < 1) return locale.formatNumber(value, FRACTION_FORMAT);
  return locale.formatNumber(value, magnitude < 1e15 ? SHORT_FORMAT : SCIENTIFIC_FORMAT);
}

/** In percent. Undefined without a positive previous value. */
export function percentChange({ value, previous }: PageMetric): number | undefined {
  return previous === undefined || previous <= 0
    ? undefined
    : ((value - previous) / previous) * 100;
}

function aggregateLabel(aggregate: Aggregate, { t }: Locale): string | undefined {
  switch (aggregate) {
    case 'avg':
      return t('Average');
    case 'min':
      return t('Lowest value');
    case 'max':
      return t('Highest value');
    case 'last':
      return t('Latest value');
    default:
      return undefined;
  }
}

export function pageMetricCaption(
  block: Fields,
  pageMetric: PageMetric,
  locale: Locale,
  now: Date,
): string {
  const days = daysOf(block);
  const change = percentChange(pageMetric);
  // The latest value is of one moment, not of a range.
  if (aggregateOf(block) === 'last' && pageMetric.latest_at)
    return formatAge(new Date(pageMetric.latest_at), now, locale);
  return (
    [
      aggregateLabel(aggregateOf(block), locale),
      pageMetric.latest_at && formatAge(new Date(pageMetric.latest_at), now, locale),
      change !== undefined && formatChange(change, locale),
      days === 1
        ? locale.formatNumber(24, { ...DURATION_FORMAT, unit: 'hour' })
        : locale.formatNumber(days, { ...DURATION_FORMAT, unit: 'day' }),
    ]
      .filter(Boolean)
      // Bidi isolates keep the order of the parts in right-to-left text.
      .map((part) => (locale.direction === 'rtl' ? `\u2068${part}\u2069` : part))
      .join(SEPARATOR)
  );
}

/** In hours for three days, because the day depends on the time zone of the visitor. */
function formatAge(time: Date, now: Date, locale: Locale): string {
  const ageMs = Math.max(0, now.getTime() - time.getTime());
  if (ageMs < HOUR_MS) return locale.fromNow(-Math.floor(ageMs / MINUTE_MS), 'minute');
  return ageMs < 3 * DAY_MS
    ? locale.fromNow(-Math.floor(ageMs / HOUR_MS), 'hour')
    : locale.fromNow(-Math.floor(ageMs / DAY_MS), 'day');
}

const SEPARATOR = ' · ';

function formatChange(change: number, locale: Locale): string {
  if (change > 999) return `×\u00A0${formatNumber(change / 100 + 1, locale)}`;
  return locale.formatNumber(change / 100, CHANGE_FORMAT);
}

/** Fewer points look like a fault, not like a trend. */
const MIN_CHART_POINTS = 7;

const WIDTH = 240;
const HEIGHT = 40;

export const renderMetric: RenderBlock = (block, { pageMetrics }, { locale, now }) => {
  const pageMetric = pageMetrics.get(String(block['id']));
  if (!pageMetric) return undefined;
  const display = block['display'];
  const title = metricTitle(block, locale);
  const caption = pageMetricCaption(block, pageMetric, locale, now);
  const format = (number: number) => formatNumber(number, locale);
  const value = format(pageMetric.value);
  const values = pageMetric.points.filter((point) => point !== undefined);
  const chartLabel = [
    `${title}: ${value}`,
    caption,
    `${locale.t('Lowest value')}: ${format(Math.min(...values))}`,
    `${locale.t('Highest value')}: ${format(Math.max(...values))}`,
  ].join(SEPARATOR);
  // No line begins with a dot.
  const small = html`<small>${caption.replaceAll(SEPARATOR, '\u00A0· ')}</small>`;
  const hasChart = display !== 'number' && values.length >= MIN_CHART_POINTS;
  return html`<section class="card metric">
    <div>
      <h2 dir="auto">${title}</h2>
      <p class="number"><b>${value}</b></p>
      ${hasChart && small}
    </div>
    ${
      !hasChart
        ? small
        : html`<svg
            class="spark"
            viewBox="0 0 ${WIDTH} ${HEIGHT}"
            preserveAspectRatio="none"
            role="img"
            aria-label="${chartLabel}"
          >
            ${
              display === 'bars'
                ? html`<path class="bars" d="${barPath(pageMetric.points, WIDTH, HEIGHT)}" />`
                : html`<path class="area" d="${areaPath(pageMetric.points, WIDTH, HEIGHT)}" /><path
                      class="line"
                      vector-effect="non-scaling-stroke"
                      d="${linePath(pageMetric.points, WIDTH, HEIGHT)}"
                    />`
            }
          </svg>`
    }
  </section>`;
};
