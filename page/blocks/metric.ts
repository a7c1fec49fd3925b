import type { Block } from '#contract/block.ts';
import { LIMITS } from '#contract/limits.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { AGGREGATES, type Aggregate, type Figure, type FigureQuery } from '../page-number.ts';
import { type Fields, textOf, wholeNumberOf } from '../fields.ts';
import { html } from '../html.ts';
import { type Locale, filled } from '../locale.ts';
import { areaPath, barPath, linePath } from '../sparkline.ts';
import type { RenderBlock } from './block.ts';

/** Blocks with numbers that a page shows at most. */
const MAX_METRICS = 20;
const DAYS = [1, LIMITS.blockDays] as const;
const DEFAULT_DAYS = 30;
const PATH_CHARACTERS = 200;
const PATH_PARTS = 10;

/** Queries for the numbers of some blocks, by the ids of the blocks. */
export function figureQueriesOf(blocks: readonly Block[]): Map<string, FigureQuery> {
  const queries = blocks.flatMap((block) => {
    const query = block.type === 'metric' ? queryOf(block) : undefined;
    return query ? [[block.id, query] as const] : [];
  });
  return new Map(queries.slice(0, MAX_METRICS));
}

function queryOf(block: Fields): FigureQuery | undefined {
  const projectId = textOf(block, 'project')?.toLowerCase();
  if (!projectId || !UUID_PATTERN.test(projectId)) return undefined;
  const path = textOf(block, 'field')?.split('.') ?? [];
  if (path.length > PATH_PARTS || path.join('.').length > PATH_CHARACTERS) return undefined;
  return { projectId, path, aggregate: aggregateOf(block), days: daysOf(block) };
}

function daysOf(block: Fields): number {
  return wholeNumberOf(block, 'days', DAYS) ?? DEFAULT_DAYS;
}

function aggregateOf(block: Fields): Aggregate {
  // Without a field there is nothing but the metrics themselves.
  if (!textOf(block, 'field')) return 'count';
  return AGGREGATES.find((name) => name === block['aggregate']) ?? 'sum';
}

/** Title of a number: by its owner, or by the path of its field in words. */
export function metricTitle(block: Fields, { words }: Locale): string {
  return textOf(block, 'title') ?? fieldWords(textOf(block, 'field') ?? '') ?? words.metrics;
}

/** The path of a field as a label: "cart.totalPrice" is "Cart total price". */
function fieldWords(path: string): string | undefined {
  const words = path
    .replace(
      /(\p{Ll})(\p{Lu}\p{Ll})/gu,
      (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    )
    .replace(/[\s._-]+/g, ' ')
    .trim();
  const [first = ''] = words;
  return words === '' ? undefined : first.toUpperCase() + words.slice(first.length);
}

const SIGN = { signDisplay: 'negative' } as const;
const EXACT = { ...SIGN, maximumFractionDigits: 2 } as const;
const FRACTION = { ...SIGN, maximumSignificantDigits: 3 } as const;
const SHORT = { ...SIGN, notation: 'compact', maximumFractionDigits: 1 } as const;
const EXPONENT = { ...SIGN, notation: 'scientific', maximumFractionDigits: 2 } as const;
const CHANGE = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
const DAYS_LONG = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;

/** A number as people read it; one with many digits in short. */
export function numberText(value: number, locale: Locale): string {
  return Math.abs(value) >= 1 && Math.abs(value) < 1e9
    ? locale.number(value, EXACT)
    : shortNumber(value, locale);
}

/** A number where there is little room. */
export function shortNumber(value: number, locale: Locale): string {
  const size = Math.abs(value);
  if (size < 1) return locale.number(value, FRACTION);
  return locale.number(value, size < 1e15 ? SHORT : EXPONENT);
}

/** How much more or less it is than before; undefined if that cannot be said. */
export function changeOf({ value, previous }: Figure): number | undefined {
  return previous === undefined || previous <= 0
    ? undefined
    : ((value - previous) / previous) * 100;
}

/** Meanings of a number over days; undefined for sums, which need no name. */
const MEANING = {
  count: undefined,
  sum: undefined,
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  last: 'latest',
} as const satisfies Record<Aggregate, keyof Locale['words'] | undefined>;

/** Words beside a number. */
export function figureWords(block: Fields, figure: Figure, locale: Locale): string {
  const { words } = locale;
  const days = daysOf(block);
  const meaning = MEANING[aggregateOf(block)];
  const change = changeOf(figure);
  return [
    meaning && words[meaning],
    days === 1 ? words.lastDay : filled(words.lastDays, locale.number(days, DAYS_LONG)),
    change !== undefined && filled(words.compared, changeText(change, locale)),
  ]
    .filter(Boolean)
    .join(SEPARATOR);
}

const SEPARATOR = ' · ';

function changeText(change: number, locale: Locale): string {
  if (change > 999) return `×\u00A0${numberText(change / 100 + 1, locale)}`;
  return locale.number(change / 100, CHANGE);
}

const WIDTH = 240;
const HEIGHT = 40;

export const metric: RenderBlock = (block, { figures }, { locale }) => {
  const figure = figures.get(String(block['id']));
  if (!figure) return undefined;
  const display = block['display'];
  const [title, words] = [metricTitle(block, locale), figureWords(block, figure, locale)];
  const value = numberText(figure.value, locale);
  const known = figure.points.filter((point) => point !== undefined);
  const { lowest, highest } = locale.words;
  const course = [
    `${title}: ${value}`,
    words,
    `${lowest}: ${numberText(Math.min(...known), locale)}`,
    `${highest}: ${numberText(Math.max(...known), locale)}`,
  ].join(SEPARATOR);
  return html`<section class="card metric">
    <h2 dir="auto">${title}</h2>
    <p class="n"><b>${value}</b></p>
    <small>${words}</small>
    ${
      display !== 'number' &&
      known.length > 0 &&
      html`<svg
        class="spark"
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${course}"
      >
        ${
          display === 'bars'
            ? html`<path class="bars" d="${barPath(figure.points, WIDTH, HEIGHT)}" />`
            : html`<path class="area" d="${areaPath(figure.points, WIDTH, HEIGHT)}" /><path
                  class="line"
                  vector-effect="non-scaling-stroke"
                  d="${linePath(figure.points, WIDTH, HEIGHT)}"
                />`
        }
      </svg>`
    }
  </section>`;
};
