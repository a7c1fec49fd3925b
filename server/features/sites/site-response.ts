import { insertPageSettings } from '#contract/page-settings-block.ts';
import { THEMES } from '#contract/themes.ts';
import type { SiteConfiguration } from '#db/queries/sites/sites.ts';

/** A site as the API returns it: with the selected preset theme, and the settings among the blocks. */
export function siteResponse({ site, blocks }: SiteConfiguration) {
  const { settings, ...details } = site;
  const themes = THEMES.find((theme) => theme.id === site.theme_id) ?? null;
  return { site: { ...details, themes }, blocks: insertPageSettings({ settings, blocks }) };
}
