import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { cutText } from '#contract/shared/user-text.ts';
import { type Theme, THEMES } from '#contract/themes.ts';
import { resolveClubTheme } from '#page/design/club-theme.ts';
import type { Core } from '#server/core.ts';

const MAX_NAME_LENGTH = 50;

/** The themes that members can choose, first that of the club. */
export async function listThemes({ instanceStore }: Pick<Core, 'instanceStore'>): Promise<Theme[]> {
  await instanceStore.refresh();
  const { displayName, ...club } = instanceStore.current;
  if (club.theme_fonts === null) return [...THEMES];
  const { colorsOf } = await import('#page/design/palette.ts');
  const site = { theme_id: CLUB_THEME_ID, custom_theme: null };
  const { theme_id, custom_theme } = resolveClubTheme(site, club);
  const colors = colorsOf({ theme_id, custom_theme });
  const { bg, text, accent } = 'single' in colors ? colors.single.normal : colors.light.normal;
  const theme = {
    id: CLUB_THEME_ID,
    name: cutText(displayName, MAX_NAME_LENGTH),
    settings: {
      description: 'The design of this server: its color, fonts and picture.',
      textColor: text,
      accentColor: accent,
      backgroundColor: bg,
    },
  };
  return [theme, ...THEMES];
}
