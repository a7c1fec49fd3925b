import { z } from 'zod';
import { FONT_FAMILIES } from './fonts.ts';
import { LIMITS } from './limits.ts';
import { HEX_COLOUR_PATTERN } from './themes.ts';

const CUSTOM_THEME = 'custom_theme must be an object or null.';

function colour(): z.ZodOptional<z.ZodString> {
  const message = 'must be a hex colour of the form #RRGGBB.';
  return z.string(message).regex(HEX_COLOUR_PATTERN, message).meta({ maxLength: 7 }).optional();
}

/** A theme of one's own; every key may be left out. */
export const CustomTheme = z
  .object(
    {
      background_color: colour().meta({
        description: 'Colour of the page.',
        examples: ['#101418'],
      }),
      primary_color: colour().meta({
        description: 'Colour of headings and buttons.',
        examples: ['#FFD166'],
      }),
      text_color: colour().meta({
        description: 'Colour of the text.',
        examples: ['#F5F5F5'],
      }),
      accent_color: colour().meta({
        description: 'Colour of links.',
        examples: ['#06D6A0'],
      }),
      font_family: z
        .string('must be a font family name.')
        .regex(
          new RegExp(`^[A-Za-z0-9 ,_\\-]{1,${LIMITS.fontFamily}}$`),
          `must be 1 to ${LIMITS.fontFamily} letters, digits, spaces, commas, hyphens or underscores.`,
        )
        .optional()
        .meta({
          description: `A font family name. These come with the page: ${FONT_FAMILIES.join(', ')}. Others are shown to visitors who have them.`,
          maxLength: LIMITS.fontFamily,
          examples: ['Open Sans'],
        }),
    },
    CUSTOM_THEME,
  )
  .meta({ id: 'CustomTheme', description: 'A theme of your own.' });
export type CustomTheme = z.infer<typeof CustomTheme>;

/** Custom theme as it is sent: unknown keys are ignored, while an answer has none. */
export const CustomThemeUpdate = z
  .object(CustomTheme.shape, CUSTOM_THEME)
  .meta({ id: 'CustomThemeUpdate', description: 'A theme of your own, to store.' });
