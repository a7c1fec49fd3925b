import { SETTINGS_BLOCK } from '#contract/shared/blocks.ts';
import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { FONT_PAIRS } from '#contract/shared/fonts.ts';
import { isLook } from '#contract/shared/looks.ts';
import type { PageSettingName } from '#contract/shared/page-settings.ts';
import { type PageSettings, type Site, createPageSettings, toRequest } from './site.ts';

type CustomColors = Omit<NonNullable<Site['custom_theme']>, 'font_family'>;

const NON_DESIGN_SETTINGS = new Set(['lang', 'pronouns', 'fediverse', 'bluesky', 'indexing']);

/** Names of the page settings that belong to the design, in contract order. */
export const DESIGN_SETTINGS: readonly string[] = Object.keys(SETTINGS_BLOCK.fields).filter(
  (name) => !NON_DESIGN_SETTINGS.has(name),
);

export function designSettingsOf(settings: PageSettings | null): Record<string, unknown> {
  const fields = Object.entries(settings?.fields ?? {});
  return Object.fromEntries(fields.filter(([name]) => DESIGN_SETTINGS.includes(name)));
}

export function lookOf(settings: PageSettings | null): string | undefined {
  const look = settings?.fields['look'];
  return isLook(look) ? look : undefined;
}

/**
 * How the themes look, in terms of the design settings. Looks without an equal option are left out.
 * A font that is not in a pair is named by its family.
 */
const THEME_VALUES: Readonly<Record<string, Partial<Record<PageSettingName, string>>>> = {
  Default: { fonts: 'inter', corners: 'round', background: 'solid', avatar: 'circle' },
  Paper: { fonts: 'playfair', buttons: 'underline', corners: 'square', avatar: 'square' },
  Daylight: { fonts: 'inter', corners: 'pill', avatar: 'circle' },
  Meadow: { fonts: 'nunito', buttons: 'filled', corners: 'pill', avatar: 'blob' },
  Blossom: {
    fonts: 'Playfair Display',
    buttons: 'soft',
    corners: 'pill',
    background: 'gradient',
    avatar: 'blob',
  },
  Midnight: {
    fonts: 'Space Grotesk',
    corners: 'round',
    background: 'gradient',
    avatar: 'circle',
  },
  Ember: { fonts: 'Space Grotesk', buttons: 'shadow', background: 'solid', avatar: 'square' },
  Terminal: { fonts: 'mono', corners: 'square', avatar: 'square' },
  gallery: { fonts: 'Space Grotesk', corners: 'square', avatar: 'square' },
  citrus: { fonts: 'Space Grotesk', buttons: 'shadow', corners: 'round', background: 'pattern' },
  velvet: { fonts: 'Playfair Display', corners: 'square', avatar: 'circle' },
  notebook: { fonts: 'caveat', background: 'pattern', avatar: 'square' },
};

/** Falls back to the default theme, which custom themes are based on, and that of the club. */
export function themeValuesOf(
  site: Site,
  themeName = 'Default',
  clubFonts: string | null = null,
): Partial<Record<PageSettingName, string>> {
  if (clubFonts && site.theme_id === CLUB_THEME_ID && !lookOf(site.settings)) {
    const { background: _cover, ...values } = THEME_VALUES['Default']!;
    return { ...values, fonts: clubFonts };
  }
  const font = site.theme_id === null ? site.custom_theme?.font_family : undefined;
  return { ...THEME_VALUES[themeName], ...(font && { fonts: font }) };
}

/** Colors and design settings of a custom theme that is like another theme. */
export function customThemeLike(
  site: Site,
  themeName: string | undefined,
  { background_color, primary_color, text_color, accent_color }: CustomColors,
  clubFonts: string | null = null,
): Pick<Site, 'custom_theme' | 'settings'> {
  const { fonts, ...values } = themeValuesOf(site, themeName, clubFonts);
  const pair = Object.entries(FONT_PAIRS).find(
    ([name, option]) => name === fonts || ('heading' in option && option.heading === fonts),
  );
  return {
    custom_theme: { background_color, primary_color, text_color, accent_color },
    settings: withDesignSettings(site.settings, {
      ...values,
      ...(pair && { fonts: pair[0] }),
      ...designSettingsOf(site.settings),
      look: undefined,
    }),
  };
}

const MAX_THUMBNAIL_BLOCKS = 5;

export function withDesignSettings(
  settings: PageSettings | null,
  designSettings: Readonly<Record<string, unknown>> = {},
): PageSettings | null {
  if (!settings && Object.keys(designSettings).length === 0) return null;
  const { fields, ...settingsBlock } = settings ?? createPageSettings();
  const otherFields = Object.entries(fields).filter(([name]) => !DESIGN_SETTINGS.includes(name));
  return { ...settingsBlock, fields: { ...Object.fromEntries(otherFields), ...designSettings } };
}

/** Has a fixed id, because a thumbnail is rendered again whenever its request changes. */
const EMPTY_SETTINGS = { ...createPageSettings(), id: '00000000-0000-4000-8000-000000000000' };

/**
 * JSON body of the preview request for a thumbnail: the first blocks of the page in another design.
 */
export function thumbnailRequest(
  { settings, blocks, ...site }: Site,
  { theme_id, custom_theme }: Pick<Site, 'theme_id' | 'custom_theme'>,
  designSettings?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(
    toRequest({
      ...site,
      theme_id,
      custom_theme,
      settings: withDesignSettings(settings ?? EMPTY_SETTINGS, designSettings),
      blocks: blocks.filter(({ enabled }) => enabled).slice(0, MAX_THUMBNAIL_BLOCKS),
    }),
  );
}
