import { uuid } from '#client/uuid.ts';
import type { Language } from '#contract/shared/languages.ts';
import { language } from '#dashboard/translate.ts';
import { serviceName } from '#page/icons/service-hosts.ts';
import { withDesignSettings } from './designs.ts';
import { type Block, type PageSettings, type Site, createPageSettings } from './site.ts';
import type { Template } from './templates.ts';
import { withScheme } from './web-address.ts';

/**
 * Replaces the blocks and theme with those of a template. Keeps profile fields with a value, and
 * the page's language if it is set.
 */
export function withTemplate(
  site: Site,
  { theme, site: templateProfile, blocks }: Template,
  themes: readonly { id: string; name: string }[],
  templateLanguage: Language = language,
): Site {
  const themeId = themes.findLast(({ name }) => name === theme)?.id ?? null;
  const newBlocks = blocks.map((block) => ({ ...block, id: uuid(), enabled: true }));
  return {
    ...site,
    bio: site.bio || templateProfile.bio,
    location: site.location || templateProfile.location,
    mood: site.mood || templateProfile.mood,
    theme_id: themeId,
    custom_theme: themeId === null ? null : site.custom_theme,
    settings: withLanguage(withDesignSettings(site.settings), templateLanguage),
    blocks: newBlocks,
  };
}

function withLanguage(settings: PageSettings | null, lang: Language): PageSettings | null {
  // Pages without a language are English.
  if (lang === 'en' || settings?.fields['lang']) return settings;
  const { fields, ...settingsBlock } = settings ?? createPageSettings();
  return { ...settingsBlock, fields: { ...fields, lang } };
}

/**
 * Adds the name of the service that a changed address leads to as the link's title. Replaces no
 * title that the owner wrote.
 */
export function withServiceTitle(
  link: Block,
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { url } = changes;
  const title = link['title'] ?? link['label'] ?? link['content'];
  if (typeof url !== 'string' || (title && title !== serviceOf(link.url ?? ''))) return changes;
  const service = serviceOf(url);
  return service === title ? changes : { ...changes, title: service };
}

function serviceOf(address: string): string | undefined {
  const url = withScheme(address);
  return URL.canParse(url) ? serviceName(url) : undefined;
}
