import type { Block } from '../../../../contract/block.ts';
import { UUID } from '../../../../contract/uuid.ts';
import { AGGREGATES, type Aggregate, type Figure, type FigureQuery } from '../../metrics/figure.ts';
import { type Fields, textOf, wholeNumberOf } from '../fields.ts';
import { html } from '../html.ts';
import { barPath, linePath } from '../sparkline.ts';
import type { RenderBlock } from './block.ts';

/** Blocks with numbers that a page shows at most. */
const MAX_METRICS = 20;
const DAYS = [1, 90] as const;
const DEFAULT_DAYS = 30;
const PATH_CHARACTERS = 200;
const PATH_PARTS = 10;

/** What the numbers of some blocks are made of, by the ids of the blocks. */
export function figureQueriesOf(blocks: readonly Block[]): Map<string, FigureQuery> {
  const queries = blocks.flatMap((block) => {
    const query = block.type === 'metric' ? queryOf(block) : undefined;
    return query ? [[block.id, query] as const] : [];
  });
  return new Map(queries.slice(0, MAX_METRICS));
}

function queryOf(block: Fields): FigureQuery | undefined {
  const projectId = textOf(block, 'project')?.toLowerCase();
  if (!projectId || !UUID.test(projectId)) return undefined;
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

/** What a number is called. */
export function metricTitle(block: Fields): string {
  return textOf(block, 'title') ?? textOf(block, 'field') ?? 'Metrics';
}

const fraction = numberFormat({ maximumSignificantDigits: 3 });
const exact = numberFormat({ maximumFractionDigits: 2 });
const short = numberFormat({ notation: 'compact', maximumFractionDigits: 1 });
const exponent = numberFormat({ notation: 'scientific', maximumFractionDigits: 2 });
const percent = numberFormat({ maximumFractionDigits: 1 });

function numberFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat('en', { signDisplay: 'negative', ...options });
  return (value) => format.format(value);
}

/** A number as people read it; one with many digits in short. */
export function numberText(value: number): string {
  return Math.abs(value) >= 1 && Math.abs(value) < 1e9 ? exact(value) : shortNumber(value);
}

/** A number where there is little room. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size < 1) return fraction(value);
  return size < 1e15 ? short(value) : exponent(value);
}

/** How much more or less it is than before; undefined if that cannot be said. */
export function changeOf({ value, previous }: Figure): number | undefined {
  return previous === undefined || previous <= 0
    ? undefined
    : ((value - previous) / previous) * 100;
}

const MEANING: Record<Aggregate, string> = {
  count: 'in',
  sum: 'in',
  avg: 'on average in',
  min: 'at the lowest in',
  max: 'at the highest in',
  last: 'latest in',
};

/** What a number says, beside the number itself. */
export function figureWords(block: Fields, figure: Figure): string {
  const days = daysOf(block);
  const span = days === 1 ? 'day' : `${days} days`;
  return `${MEANING[aggregateOf(block)]} the last ${span}${changeWords(figure, span)}`;
}

function changeWords(figure: Figure, span: string): string {
  const change = changeOf(figure);
  if (change === undefined) return '';
  if (change > 999) return `, ${numberText(change / 100 + 1)} times that of the ${span} before`;
  const size = percent(Math.abs(change));
  if (size === '0') return `, the same as in the ${span} before`;
  return `, ${size} % ${change > 0 ? 'more' : 'less'} than in the ${span} before`;
}

const WIDTH = 240;
const HEIGHT = 40;

export const metric: RenderBlock = (block, { figures }) => {
  const figure = figures.get(String(block['id']));
  if (!figure) return undefined;
  const display = block['display'];
  const words = figureWords(block, figure);
  const value = numberText(figure.value);
  const known = figure.points.filter((point) => point !== undefined);
  const course = `${metricTitle(block)}: ${value} ${words}; between ${numberText(Math.min(...known))} and ${numberText(Math.max(...known))} on the way.`;
  return html`<section class="card metric">
    <h2 dir="auto">${metricTitle(block)}</h2>
    <p><strong>${value}</strong> <small>${words}</small></p>
    ${
      display !== 'number' &&
      known.length > 0 &&
      html`<svg
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${course}"
      >
        ${
          display === 'bars'
            ? html`<path fill="currentColor" d="${barPath(figure.points, WIDTH, HEIGHT)}" />`
            : html`<path
                fill="none"
                stroke="currentColor"
                stroke-width="2"
                stroke-linecap="round"
                stroke-linejoin="round"
                vector-effect="non-scaling-stroke"
                d="${linePath(figure.points, WIDTH, HEIGHT)}"
              />`
        }
      </svg>`
    }
  </section>`;
};
