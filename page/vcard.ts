import { contactOf } from './blocks/contact.ts';
import { ownTargets } from './blocks/links.ts';
import { titleOf } from './head.ts';
import type { PublicSite, Showing } from './public-site.ts';
import { webTarget } from './target.ts';

const LINE_BYTES = 75;

/** The site as a vCard 4.0 (RFC 6350). */
export function vcardOf(site: PublicSite, { url }: Showing): string {
  const contacts = site.blocks
    .filter(({ type }) => type === 'contact')
    .map((block) => contactOf(block, site));
  const photo = webTarget(site.avatarUrl);
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'KIND:individual',
    `FN:${escaped(titleOf(site))}`,
    `NICKNAME:${escaped(site.name)}`,
    `SOURCE:${url}/card.vcf`,
    `URL:${url}`,
    ...ownTargets(site.blocks).map((link) => `URL:${link}`),
    ...(photo ? [`PHOTO:${photo}`] : []),
    ...(site.bio?.trim() ? [`NOTE:${escaped(site.bio.trim())}`] : []),
    ...(site.location?.trim() ? [`ADR:;;;${component(site.location.trim())};;;`] : []),
    ...contacts.flatMap(({ emails, phone, address }) => [
      ...emails.map((email) => `EMAIL:${escaped(email)}`),
      ...(phone ? [`TEL;VALUE=uri:tel:${phone.replace(/[^+\d]/g, '')}`] : []),
      ...(address ? [`ADR:;;${component(address)};;;;`] : []),
    ]),
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** One of the values of a property that has several. */
function component(text: string): string {
  return escaped(text).replaceAll(';', '\\;');
}

/** Semicolons stay as they are where they divide nothing: some programs show what is before them. */
function escaped(text: string): string {
  return text
    .replace(/[\\,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');
}

/** Lines of at most 75 bytes, never cut within a character. */
function folded(line: string): string {
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
