import { contactOf } from './blocks/contact.ts';
import { ownProfileUrls } from './blocks/links.ts';
import { escapeComponent, escapeText, joinContentLines } from './content-lines.ts';
import { titleOf } from './head.ts';
import type { PublicSite, RenderContext } from './public-site.ts';
import { safeWebUrl } from './safe-url.ts';

/** vCard 4.0 (RFC 6350). Does not escape semicolons in texts, because some programs show the backslash. */
export function renderVcard(site: PublicSite, { url }: RenderContext): string {
  const contacts = site.blocks
    .filter(({ type }) => type === 'contact')
    .map((block) => contactOf(block, site));
  const photo = safeWebUrl(site.avatar_url);
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
  return joinContentLines(lines);
}
