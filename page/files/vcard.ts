import { contactOf } from '../blocks/contact.ts';
import { ownProfileUrls } from '../blocks/links.ts';
import { escapeText, joinContentLines } from './content-lines.ts';
import { dialStringOf } from '../dial-string.ts';
import { titleOf } from '../head.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { safeWebUrl } from '../html/safe-url.ts';

/** The family name is the last word with particles such as "von der", but first in East Asia. */
const FULL_NAME =
  /^(?!.*[,;\p{sc=Han}\p{sc=Kana}\p{sc=Hira}\p{sc=Hang}])(?<given>\S.*?) (?<family>(?:\p{Ll}[\p{L}']* )*\p{L}{2}\S*)$/u;

/** The fields `FN` and `N`. Address books sort by `N`, so a title in one part sorts by given names. */
export function vcardNameLines(title: string): string[] {
  const { given = title, family = '' } = FULL_NAME.exec(title)?.groups ?? {};
  return [`FN:${escapeText(title)}`, `N:${escapeText(family)};${escapeText(given)};;;`];
}

/** vCard 3.0 (RFC 2426), because Outlook and older phones do not read 4.0 (RFC 6350). */
export function renderVcard(
  site: PublicSite,
  { url }: RenderContext,
  version: '3.0' | '4.0' = '3.0',
): string {
  const contacts = site.blocks
    .filter(({ type }) => type === 'contact')
    .map((block) => contactOf(block, site));
  const photo = safeWebUrl(site.avatar_url);
  const lines = [
    'BEGIN:VCARD',
    `VERSION:${version}`,
    ...(version === '4.0' ? ['KIND:individual'] : []),
    ...vcardNameLines(titleOf(site)),
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
