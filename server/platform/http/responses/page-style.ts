import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PlateColors } from '#contract/shared/plate-colors.ts';
import { fontFacesOf, fontFileName, fontKey } from '#page/design/font-files.ts';

/** An inline style sheet, and the source that allows it in the Content-Security-Policy. */
export interface PageStyle {
  css: string;
  cspSource: string;
}

const INTER = latinFace('Inter');

export const PAGE_FONT_PATH = INTER.path;

/** The file of a font that pages load, and the rule that names it. */
export function latinFace(family: string): { path: string; css: string } {
  const [face] = fontFacesOf(fontKey(family), { subsets: ['latin'] });
  const path = `/fonts/${fontFileName(readFileSync(face!.file))}`;
  const css = `@font-face{font-family:${family};src:url(${path})format("woff2");font-weight:100 900;font-display:swap;unicode-range:${face!.unicodeRange}}`;
  return { path, css };
}

const DASHBOARD_SHEETS = [
  ...['style/tokens.css', 'style/base.css', 'style/cards.css', 'components/radio-cards.css'],
].map((path) => new URL(`../../../../dashboard/${path}`, import.meta.url));

export const PAGE_STYLE = createPageStyle(
  INTER.css +
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
