import type { Translator } from '#translations/translator.ts';
import { contactUrl } from './web-url.ts';

/** Who sees the list of members. */
export const DIRECTORIES = ['off', 'members', 'everybody'] as const;

export const DEFAULT_INSTANCE_NAME = 'Nameplate';

/** In percent from the left and the top, as in CSS. */
export const FOCUS_PATTERN = /^(?:100|[1-9]?\d)% (?:100|[1-9]?\d)%$/;

/** Of a logo or the cover. */
export function logoPath(id: string): string {
  return `/instance/${id}.webp`;
}

/** In pixels. */
export function parseLogoSize(id: string): { width: number; height: number } {
  const [width = 1, height = 1] = id
    .slice(id.lastIndexOf('-') + 1)
    .split('x')
    .map(Number);
  return { width, height };
}

/** Each is the field with the text, and the path where the server shows it, such as `/imprint`. */
export const LEGAL_DOCUMENTS = ['imprint', 'privacy', 'terms'] as const;

/** A gap in a draft of a legal document, such as `[14]`, but no link. */
export const GAP = /\[[^[\]\n]+\](?!\()/g;
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number];

export function legalTitle(name: LegalDocument, t: Translator): string {
  return { imprint: t('Imprint'), privacy: t('Privacy policy'), terms: t('Terms') }[name];
}

export type LegalUrls = Record<`${LegalDocument}_url`, string | null>;
export type LegalFields = LegalUrls & Partial<Record<LegalDocument, string | null>>;

/** A text on this server has precedence over a link. */
export function legalUrls(fields: LegalFields, origin: string): LegalUrls {
  const urlOf = (name: LegalDocument) =>
    fields[name] ? `${origin}/${name}` : fields[`${name}_url`];
  return {
    imprint_url: urlOf('imprint'),
    privacy_url: urlOf('privacy'),
    terms_url: urlOf('terms'),
  };
}

/** Returns the footer links that are set. */
export function instanceLinks(
  instance: LegalFields & { contact: string | null },
  t: Translator,
  origin = '',
) {
  const { contact } = instance;
  const { imprint_url, privacy_url, terms_url } = legalUrls(instance, origin);
  return [
    { name: 'contact', label: t('Contact'), url: contact && contactUrl(contact) } as const,
    { name: 'imprint', label: t('Imprint'), url: imprint_url } as const,
    { name: 'privacy', label: t('Privacy'), url: privacy_url } as const,
    { name: 'terms', label: t('Terms'), url: terms_url } as const,
  ].flatMap(({ url, ...link }) => (url ? [{ ...link, url }] : []));
}
