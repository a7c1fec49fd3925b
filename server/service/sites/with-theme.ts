import { THEMES } from '../../../contract/themes.ts';
import type { SiteRow } from '../../../db/queries/sites/sites.ts';

/** The details of a site with the preset theme that is selected. */
export function withTheme(site: SiteRow) {
  return { ...site, themes: THEMES.find((theme) => theme.id === site.theme_id) ?? null };
}
