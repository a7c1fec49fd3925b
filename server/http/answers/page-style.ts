import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A style sheet that a page has in it, and what its policy allows for it. */
export interface PageStyle {
  sheet: string;
  source: string;
}

/** The style of pages of the server itself. */
export const PAGE_STYLE = styleOf(sheetAt(new URL('./page.css', import.meta.url)));

/** A style sheet with the source by which a policy allows it. */
export function styleOf(sheet: string): PageStyle {
  return { sheet, source: `'sha256-${hash('sha256', sheet, 'base64')}'` };
}

/** A style sheet of ours, without comments and white space. */
export function sheetAt(file: URL): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}
