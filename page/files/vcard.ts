import { contactOf } from '../blocks/contact.ts';
import { ownProfileUrls } from '../blocks/links.ts';
import { escapeText, joinContentLines } from './content-lines.ts';
import { dialStringOf } from '../dial-string.ts';
import { titleOf } from '../head.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { safeWebUrl } from '../html/safe-url.ts';

/**
 * vCard 3.0 (RFC 2426), because Outlook and older phones do not read 4.0 (RFC 6350). The whole title
 * is the given name, because the position of the family name depends on the language. Some programs
 * show only `N`.
 */
export function renderVcard(
  site: PublicSite,
  { url }: RenderContext,
  version: '3.0' | '4.0' = '3.0',
): string {
  const contacts = site.blocks
    .filter(({ type }) => type === 'contact')
    .map((block) => contactOf(block, site));
  const title = escapeText(titleOf(site));
  const photo = safeWebUrl(site.avatar_url);
  const lines = [
    'BEGIN:VCARD',
    `VERSION:${version}`,
    ...(version === '4.0' ? ['KIND:individual'] : []),
    `FN:${title}`,
    `N:;${title};;;`,
    `NICKNAME:${escapeText(site.name)}`,
    `SOURCE:${url}/card.vcf`,
    `URL:${url}`,
    ...ownProfileUrls(site.blocks).map((link) => `URL:${link}`),
    // GNOME ignores a photo without the type of its value.
    ...(photo ? [`PHOTO;VALUE=uri:${photo}`] : []),
    ...(site.bio?.trim() ? [`NOTE:${escapeText(site.bio.trim())}`] : []),
    ...(site.location?.trim() ? [`ADR:;;;${escapeText(site.location.trim())};;;`] : []),
    ...contacts.flatMap(({ emails, phone, address }) => [
      ...emails.map((email) => `EMAIL:${escapeText(email)}`),
      ...(phone ? [`TEL:${escapeText(dialStringOf(phone, ',') ?? phone)}`] : []),
      ...(address ? [`ADR:;;${escapeText(address)};;;;`] : []),
    ]),
    'END:VCARD',
  ];
  return joinContentLines(lines);
}
