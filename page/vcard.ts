import { contactOf } from './blocks/contact.ts';
import { ownProfileUrls } from './blocks/links.ts';
import { titleOf } from './head.ts';
import type { PublicSite, RenderContext } from './public-site.ts';
import { safeWebUrl } from './safe-url.ts';

const MAX_LINE_BYTES = 75;

/** vCard 4.0 (RFC 6350). */
export function renderVcard(site: PublicSite, { url }: RenderContext): string {
  const contacts = site.blocks
    .filter(({ type }) => type === 'contact')
    .map((block) => contactOf(block, site));
  const photo = safeWebUrl(site.avatarUrl);
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'KIND:individual',
    `FN:${escapeText(titleOf(site))}`,
    `NICKNAME:${escapeText(site.name)}`,
    `SOURCE:${url}/card.vcf`,
    `URL:${url}`,
    ...ownProfileUrls(site.blocks).map((link) => `URL:${link}`),
    ...(photo ? [`PHOTO:${photo}`] : []),
    ...(site.bio?.trim() ? [`NOTE:${escapeText(site.bio.trim())}`] : []),
    ...(site.location?.trim() ? [`ADR:;;;${escapeComponent(site.location.trim())};;;`] : []),
    ...contacts.flatMap(({ emails, phone, address }) => [
      ...emails.map((email) => `EMAIL:${escapeText(email)}`),
      ...(phone ? [`TEL;VALUE=uri:tel:${phone.replace(/[^+\d]/g, '')}`] : []),
      ...(address ? [`ADR:;;${escapeComponent(address)};;;;`] : []),
    ]),
    'END:VCARD',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** Escapes one component of a structured value such as ADR. */
function escapeComponent(text: string): string {
  return escapeText(text).replaceAll(';', '\\;');
}

/** Leaves semicolons unescaped, because some programs show the backslash. */
function escapeText(text: string): string {
  return text
    .replace(/[\\,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');
}

/** Folds lines at 75 bytes, never inside a character. */
function foldLine(line: string): string {
  let foldedLine = '';
  let lineBytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (lineBytes + size > MAX_LINE_BYTES) {
      foldedLine += '\r\n ';
      lineBytes = 1;
    }
    foldedLine += character;
    lineBytes += size;
  }
  return foldedLine;
}
