import { addPageSettingsBlock } from '#contract/shared/page-settings-block.ts';
import type { Theme } from '#contract/themes.ts';
import type { SiteConfiguration } from '#db/queries/sites.ts';

export function serializeSite(
  { site, blocks }: SiteConfiguration,
  availableThemes: readonly Theme[],
) {
  const { settings, ...details } = site;
  const themes = availableThemes.find((theme) => theme.id === site.theme_id) ?? null;
  return { site: { ...details, themes }, blocks: addPageSettingsBlock({ settings, blocks }) };
}
