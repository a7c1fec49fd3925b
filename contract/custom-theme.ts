import { z } from 'zod';
import { FONT_FAMILIES } from './shared/fonts.ts';
import { LIMITS } from './shared/limits.ts';
import { HEX_COLOR_PATTERN } from './themes.ts';

const CUSTOM_THEME_MESSAGE = 'must be an object.';

function colorField(description: string, example: string) {
  const message = 'must be a hex color of the form #RRGGBB.';
  return z
    .string(message)
    .regex(HEX_COLOR_PATTERN, message)
    .optional()
    .meta({ description, maxLength: 7, examples: [example] });
}

export const CustomTheme = z
  .object(
    {
      background_color: colorField('The page background, #RRGGBB.', '#101418'),
      primary_color: colorField('Headings and buttons, #RRGGBB.', '#FFD166'),
      text_color: colorField('Text, #RRGGBB.', '#F5F5F5'),
      accent_color: colorField('Links, #RRGGBB.', '#06D6A0'),
      font_family: z
        .string('must be a font family name.')
        .regex(
          new RegExp(`^[A-Za-z0-9 ,_\\-]{1,${LIMITS.fontFamily}}$`),
          `must be 1 to ${LIMITS.fontFamily} letters, digits, spaces, commas, hyphens or underscores.`,
        )
        .optional()
        .meta({
          description: `A font family name. The page includes ${FONT_FAMILIES.join(', ')}; other fonts appear only for visitors who have them installed.`,
          maxLength: LIMITS.fontFamily,
          examples: ['Open Sans'],
        }),
    },
    CUSTOM_THEME_MESSAGE,
  )
  .meta({ id: 'CustomTheme', description: 'A custom theme. All fields are optional.' });
export type CustomTheme = z.infer<typeof CustomTheme>;

/** A separate schema, because requests may have unknown keys (they are ignored) and responses never do. */
export const CustomThemeUpdate = z.object(CustomTheme.shape, CUSTOM_THEME_MESSAGE).meta({
  id: 'CustomThemeUpdate',
  description: 'The custom theme to store. Unknown keys are ignored.',
});
