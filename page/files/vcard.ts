import { contactOf } from '../blocks/contact.ts';
import { ownProfileUrls } from '../blocks/links.ts';
import { dialStringOf } from '../dial-string.ts';
import { titleOf } from '../head.ts';
import { safeWebUrl } from '../html/safe-url.ts';
import type { PublicSite, RenderContext } from '../public-site.ts';
import { escapeText, joinContentLines } from './content-lines.ts';

/** Titles such as "Doe, Jane" or of East Asia, where the family name is first. */
const OTHER_ORDER = /[,;\p{sc=Han}\p{sc=Kana}\p{sc=Hira}\p{sc=Hang}]/u;

/** The fields `FN` and `N`. Address books sort by `N`, so a title in one part sorts by given names. */
export function vcardNameLines(title: string): string[] {
  const words = title.split(' ');
  let start = words.length - 1;
  // Not the end of "Sea Club e. V."
  const isGuessed = start > 0 && /^\p{L}{2}/u.test(words[start]!) && !OTHER_ORDER.test(title);
  // Particles such as "von der".
  while (start > 1 && /^\p{Ll}/u.test(words[start - 1]!)) start -= 1;
  const [given, family] = isGuessed
    ? [words.slice(0, start).join(' '), words.slice(start).join(' ')]
    : [title, ''];
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
