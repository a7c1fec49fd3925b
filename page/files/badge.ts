import { hash } from 'node:crypto';
import stringWidth from 'string-width';
import type { Block } from '#contract/block.ts';
import { safeLine } from '#contract/safe-line.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import {
  percentChange,
  pageMetricCaption,
  metricTitle,
  formatShortNumber,
} from '../blocks/metric.ts';
import { type Palette, colorsOf } from '../design/palette.ts';
import { optionsOf } from '../fields/options.ts';
import { type Html, html, trustedHtml } from '../html/html.ts';
import type { Locale } from '../locale.ts';
import type { PageMetric } from '../page-metric.ts';
import type { PublicSite } from '../public-site.ts';
import { linePath } from '../sparkline.ts';

export interface Badge {
  svg: string;
  cspStyleSource: string;
}

const BADGE_HEIGHT = 24;
const SPARKLINE_WIDTH = 56;
const PADDING = 9;
/** Approximate character widths, in pixels. `textLength` fits the text to them. */
const CHARACTER_WIDTH = 6.3;
const BOLD_CHARACTER_WIDTH = 7.2;
const MAX_TITLE_LENGTH = 40;

/** Renders the number of a metric block as an SVG for other websites. */
export function renderBadge(site: PublicSite, block: Block): Badge {
  const pageMetric = site.pageMetrics.get(block.id);
  const { locale } = optionsOf(site);
  const noData = locale.t('no data');
  const title = shortenText(
    safeLine(metricTitle(block, locale), 2 * MAX_TITLE_LENGTH),
    MAX_TITLE_LENGTH,
  );
  const number = pageMetric && formatShortNumber(pageMetric.value, locale);
  const value = number ? valueText(number, percentChange(pageMetric), locale) : noData;
  const description = number
    ? `${title}: ${number} · ${pageMetricCaption(block, pageMetric, locale, new Date())}`
    : `${title}: ${noData}`;
  const hasSparkline = pageMetric?.points.some((point) => point !== undefined);
  const titleWidth = textWidth(title, CHARACTER_WIDTH);
  const valueWidth = textWidth(value, BOLD_CHARACTER_WIDTH);
  const sparklineWidth = hasSparkline ? SPARKLINE_WIDTH + PADDING : 0;
  const valueStart = titleWidth + 2 * PADDING + sparklineWidth;
  const width = valueStart + valueWidth + 2 * PADDING;
  const style = badgeStyle(site);
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${BADGE_HEIGHT}"
    viewBox="0 0 ${width} ${BADGE_HEIGHT}"
    role="img"
    aria-label="${description}"
    font-family="system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
    font-size="12"
  >
    <title>${description}</title>
    ${trustedHtml(`<style>${style}</style>`)}
    <clipPath id="rounded"><rect width="${width}" height="${BADGE_HEIGHT}" rx="6" /></clipPath>
    <g clip-path="url(#rounded)">
      <rect class="background" width="${width}" height="${BADGE_HEIGHT}" />
      <rect
        class="value-background"
        x="${valueStart}"
        width="${width - valueStart}"
        height="${BADGE_HEIGHT}"
      />
    </g>
    ${textAt(title, PADDING, titleWidth, 'title')}
    ${hasSparkline && pageMetric && sparklineAt(pageMetric, titleWidth + 2 * PADDING)}
    ${textAt(value, valueStart + PADDING, valueWidth, 'value')}
  </svg>`;
  return { svg: String(svg), cspStyleSource: `'sha256-${hash('sha256', style, 'base64')}'` };
}

function sparklineAt({ points }: PageMetric, x: number): Html {
  return html`<path
    class="sparkline"
    transform="translate(${x} 4)"
    fill="none"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    d="${linePath(points, SPARKLINE_WIDTH, BADGE_HEIGHT - 8)}"
  />`;
}

function textAt(text: string, x: number, length: number, className: string): Html {
  return html`<text class="${className}" x="${x}" y="16" textLength="${length}">${text}</text>`;
}

function valueText(value: string, change: number | undefined, locale: Locale): string {
  const changePercent = Math.round(Math.abs(change ?? 0));
  if (!change || changePercent === 0) return value;
  const percent = locale.formatNumber(Math.min(changePercent, 999) / 100, { style: 'percent' });
  return `${value} ${change < 0 ? '▼' : '▲'} ${changePercent > 999 ? '>' : ''}${percent}`;
}

function textWidth(text: string, characterWidth: number): number {
  return Math.ceil(stringWidth(text) * characterWidth);
}

function badgeStyle({ theme_id, custom_theme }: PublicSite): string {
  const colors = colorsOf({ theme_id, custom_theme });
  if ('single' in colors) return paletteRules(colors.single.normal);
  return `${paletteRules(colors.light.normal)}@media(prefers-color-scheme:dark){${paletteRules(colors.dark.normal)}}`;
}

function paletteRules({ surface, text, button, onButton, accent }: Palette): string {
  return `.background{fill:${surface}}.value-background{fill:${button}}.title{fill:${text}}.value{fill:${onButton};font-weight:600}.sparkline{stroke:${accent}}`;
}
