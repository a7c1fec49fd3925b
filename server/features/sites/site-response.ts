import { insertPageSettings } from '#contract/page-settings-block.ts';
import { THEMES } from '#contract/themes.ts';
import type { SiteConfiguration } from '#db/queries/sites/sites.ts';

/** Adds the selected preset theme, and the page settings as a block. */
export function siteResponse({ site, blocks }: SiteConfiguration) {
  const { settings, ...details } = site;
  const themes = THEMES.find((theme) => theme.id === site.theme_id) ?? null;
  return { site: { ...details, themes }, blocks: insertPageSettings({ settings, blocks }) };
}
