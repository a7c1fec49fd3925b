import type { Translator } from '#translations/translator.ts';

export const DEFAULT_INSTANCE_NAME = 'Nameplate';

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

/** Returns the footer links that are set. */
export function instanceLinks(
  instance: {
    contact: string | null;
    imprint_url: string | null;
    privacy_url: string | null;
    terms_url: string | null;
  },
  t: Translator,
) {
  const { contact, imprint_url, privacy_url, terms_url } = instance;
  const contactUrl = contact?.includes('://') ? contact : contact && `mailto:${contact}`;
  return [
    { name: 'contact', label: t('Contact'), url: contactUrl } as const,
    { name: 'imprint', label: t('Imprint'), url: imprint_url } as const,
    { name: 'privacy', label: t('Privacy'), url: privacy_url } as const,
    { name: 'terms', label: t('Terms'), url: terms_url } as const,
  ].flatMap(({ url, ...link }) => (url ? [{ ...link, url }] : []));
}
