import { hash } from 'node:crypto';
import stringWidth from 'string-width';
import type { Block } from '#contract/block.ts';
import { changeOf, figureWords, metricTitle, shortNumber } from './blocks/metric.ts';
import { type Html, html, trusted } from './html.ts';
import type { Locale } from './locale.ts';
import { optionsOf } from './options.ts';
import { type Palette, coloursOf } from './palette.ts';
import type { PublicSite } from './public-site.ts';
import { linePath } from './sparkline.ts';

/** A picture, and what its policy has to allow. */
export interface Badge {
  svg: string;
  styleSource: string;
}

const HEIGHT = 24;
const SPARK = 56;
const PADDING = 9;
/** Approximate width of a character at this size, usual and bold; the text is fitted to it. */
const CHARACTER = 6.3;
const BOLD = 7.2;
const TITLE_CHARACTERS = 40;

/** The number of a block as a picture for other people's pages, in the colours of the site. */
export function renderBadge(site: PublicSite, block: Block): Badge {
  const figure = site.figures.get(block.id);
  const { locale } = optionsOf(site);
  const { noData } = locale.words;
  const title = shortened(metricTitle(block, locale));
  const value = figure
    ? valueText(shortNumber(figure.value, locale), changeOf(figure), locale)
    : noData;
  const says = figure
    ? `${title}: ${shortNumber(figure.value, locale)} · ${figureWords(block, figure, locale)}`
    : `${title}: ${noData}`;
  const shape = figure?.points.some((point) => point !== undefined)
    ? linePath(figure.points, SPARK, HEIGHT - 8)
    : undefined;
  const [left, right] = [widthOf(title, CHARACTER), widthOf(value, BOLD)];
  const spark = shape ? SPARK + PADDING : 0;
  const start = left + 2 * PADDING + spark;
  const width = start + right + 2 * PADDING;
  const style = styleOf(site);
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${HEIGHT}"
    viewBox="0 0 ${width} ${HEIGHT}"
    role="img"
    aria-label="${says}"
    font-family="system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
    font-size="12"
  >
    <title>${says}</title>
    ${trusted(`<style>${style}</style>`)}
    <clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="6" /></clipPath>
    <g clip-path="url(#r)">
      <rect class="s" width="${width}" height="${HEIGHT}" />
      <rect class="b" x="${start}" width="${width - start}" height="${HEIGHT}" />
    </g>
    ${textAt(title, PADDING, left, 't')}
    ${
      shape &&
      html`<path
        class="l"
        transform="translate(${left + 2 * PADDING} 4)"
        fill="none"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="${shape}"
      />`
    }
    ${textAt(value, start + PADDING, right, 'v')}
  </svg>`;
  return { svg: String(svg), styleSource: `'sha256-${hash('sha256', style, 'base64')}'` };
}

function textAt(text: string, x: number, length: number, name: string): Html {
  return html`<text class="${name}" x="${x}" y="16" textLength="${length}">${text}</text>`;
}

function valueText(value: string, change: number | undefined, locale: Locale): string {
  const size = Math.round(Math.abs(change ?? 0));
  if (!change || size === 0) return value;
  const percent = locale.number(Math.min(size, 999) / 100, { style: 'percent' });
  return `${value} ${change < 0 ? '▼' : '▲'} ${size > 999 ? '>' : ''}${percent}`;
}

function shortened(title: string): string {
  const characters = [...title.replace(/\s+/g, ' ').replace(/\p{C}/gu, '')];
  return characters.length <= TITLE_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}

function widthOf(text: string, character: number): number {
  return Math.ceil(stringWidth(text) * character);
}

function styleOf({ themeId, customTheme }: PublicSite): string {
  const colours = coloursOf({ theme_id: themeId, custom_theme: customTheme });
  if ('every' in colours) return rules(colours.every.usual);
  return `${rules(colours.light.usual)}@media(prefers-color-scheme:dark){${rules(colours.dark.usual)}}`;
}

function rules({ surface, text, button, onButton, accent }: Palette): string {
  return `.s{fill:${surface}}.b{fill:${button}}.t{fill:${text}}.v{fill:${onButton};font-weight:600}.l{stroke:${accent}}`;
}
