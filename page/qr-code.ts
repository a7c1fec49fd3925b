import { encode } from 'uqr';
import { type Html, html } from './html/html.ts';

/** White border, in modules. Scanners need it. */
const QUIET_ZONE = 4;

/** `title` is the accessible name. */
export function qrCode(text: string, title: string): Html {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE });
  const path = data.map(rowPath).join('');
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 -.5 ${size} ${size}"
    role="img"
    aria-label="${title}"
    shape-rendering="crispEdges"
  >
    <rect y="-.5" width="100%" height="100%" fill="#fff" />
    <path stroke="#000" d="${path}" />
  </svg>`;
}

/**
 * Per page, for all codes together. A hundred long codes could block the event loop for seconds.
 */
const MAX_CHARACTERS_PER_PAGE = 2_000;

/** Returns undefined once the page has exceeded its limit. */
export type RenderQrCode = (text: string, title: string) => Html | undefined;

export function createQrRenderer(): RenderQrCode {
  let remainingCharacters = MAX_CHARACTERS_PER_PAGE;
  return (text, title) => {
    remainingCharacters -= text.length;
    return remainingCharacters >= 0 ? qrCode(text, title) : undefined;
  };
}

/** Draws the dark runs of a row as relative lines, which compress best. */
function rowPath(row: boolean[], y: number): string {
  let path = '';
  let end = 0;
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    path += path === '' ? `M${start} ${y}` : `m${start - end} 0`;
    end = x + 1;
    path += `h${end - start}`;
  }
  return path;
}
