import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PlateColors } from '#contract/shared/plate-colors.ts';
import {
  basicFontFile,
  basicUnicodeRange,
  fontFacesOf,
  fontFileName,
  fontKey,
} from '#page/design/font-files.ts';

/** An inline style sheet, and the source that allows it in the Content-Security-Policy. */
export interface PageStyle {
  css: string;
  cspSource: string;
}

const pathOf = (file: string | URL) => `/fonts/${fontFileName(readFileSync(file))}`;

export const PAGE_FONT_PATH = pathOf(basicFontFile('Inter'));

/** Rules for the two files of a font that pages load: all of Latin, and its most common characters. */
export function latinFaces(family: string): string {
  const [face] = fontFacesOf(fontKey(family), { subsets: ['latin'] });
  const rule = (file: string | URL, range: string) =>
    `@font-face{font-family:${family};src:url(${pathOf(file)})format("woff2");font-weight:400 900;font-display:swap;unicode-range:${range}}`;
  return (
    rule(face!.file, face!.unicodeRange) + rule(basicFontFile(family), basicUnicodeRange(family))
  );
}

const DASHBOARD_SHEETS = [
  ...['style/tokens.css', 'style/base.css', 'style/cards.css', 'components/radio-cards.css'],
].map((path) => new URL(`../../../../dashboard/${path}`, import.meta.url));

export const PAGE_STYLE = createPageStyle(
  latinFaces('Inter') +
    [...DASHBOARD_SHEETS, new URL('./page.css', import.meta.url)].map(readMinifiedCss).join(''),
);

export function createPageStyle(css: string): PageStyle {
  return { css, cspSource: `'sha256-${hash('sha256', css, 'base64')}'` };
}

export function readMinifiedCss(file: URL): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*.*?(?:\*\/|$)/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}

/** The path contains the colors, so every server can serve it, and it can be cached forever. */
export function plateStylePath({ top, bottom }: PlateColors): string {
  return `/instance/${top.slice(1)}-${bottom.slice(1)}.css`;
}

export function plateStyle({ top, bottom }: PlateColors): string {
  return `:root{--plate-1:${top};--plate-2:${bottom}}`;
}
