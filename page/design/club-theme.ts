import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { FONT_PAIRS, type FontPairName } from '#contract/shared/fonts.ts';
import { logoPath } from '#contract/shared/instance.ts';
import type { PublicSite } from '../public-site.ts';

/** What the operators made the theme of. Without fonts, there is none. */
interface ClubTheme {
  theme_fonts: FontPairName | null;
  color: string | null;
  cover_id: string | null;
  cover_focus: string | null;
}

/** Replaces the theme of the club by the default theme with its values. */
export function resolveClubTheme(
  { theme_id, custom_theme }: Pick<PublicSite, 'theme_id' | 'custom_theme'>,
  { theme_fonts, color, cover_id, cover_focus }: ClubTheme,
): Pick<PublicSite, 'theme_id' | 'custom_theme' | 'themeSettings'> {
  if (theme_id !== CLUB_THEME_ID) return { theme_id, custom_theme };
  // A newer version may have stored fonts that this one does not know.
  if (theme_fonts === null || !Object.hasOwn(FONT_PAIRS, theme_fonts))
    return { theme_id: null, custom_theme: null };
  return {
    theme_id: null,
    custom_theme: color === null ? null : { primary_color: color, accent_color: color },
    themeSettings: {
      fonts: theme_fonts,
      backgroundPicture: cover_id === null ? undefined : logoPath(cover_id),
      backgroundFocus: cover_focus,
    },
  };
}
