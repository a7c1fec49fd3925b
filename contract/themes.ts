import { z } from 'zod';
import { idField, objectSchema, textField } from './fields.ts';
import { CLUB_THEME_ID } from './shared/club-theme.ts';

export const HEX_COLOR_PATTERN = /^#[0-9A-Fa-f]{6}$/;

/** Text and accent colors have a contrast of at least 4.5:1 with the background (WCAG 2.2, AA). */
export const THEMES = [
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01',
    name: 'Paper',
    settings: {
      description: 'A letterpress card: serif type, hairlines and warm paper.',
      textColor: '#40362A',
      accentColor: '#8A2F1D',
      backgroundColor: '#F5EFE3',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02',
    name: 'Daylight',
    settings: {
      description: 'A clear sky, soft shadows and round buttons.',
      textColor: '#24364B',
      accentColor: '#0A659C',
      backgroundColor: '#FFFFFF',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03',
    name: 'Meadow',
    settings: {
      description: 'Fresh greens, round cards and hills at the foot.',
      textColor: '#2D4536',
      accentColor: '#2B7044',
      backgroundColor: '#F6F7E8',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04',
    name: 'Blossom',
    settings: {
      description: 'Petals of pink with elegant headings.',
      textColor: '#5A3A47',
      accentColor: '#B02A60',
      backgroundColor: '#FFF4F5',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05',
    name: 'Midnight',
    settings: {
      description: 'Deep blue with two soft lights.',
      textColor: '#DCE2FA',
      accentColor: '#B8C6FF',
      backgroundColor: '#090E2A',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06',
    name: 'Ember',
    settings: {
      description: 'Charcoal, bold type and hard orange shadows.',
      textColor: '#F0E2D4',
      accentColor: '#FF8C42',
      backgroundColor: '#171311',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07',
    name: 'Terminal',
    settings: {
      description: 'Monospace, dashed rules and a block cursor.',
      textColor: '#B5BEB7',
      accentColor: '#86E0A3',
      backgroundColor: '#0B0D0C',
    },
  },
] as const;

/** Those of a request. A server has the last one only if its operators made it. */
export const THEME_IDS = [...THEMES.map(({ id }) => id), CLUB_THEME_ID] as const;

function presetColor(description: string): z.ZodString {
  return z.string().meta({ description, pattern: HEX_COLOR_PATTERN.source, maxLength: 7 });
}

export const Theme = z
  .object({
    id: idField('The id of the theme, to send as `theme_id`.', THEMES[0].id),
    name: textField('The name of the theme.', 50, THEMES[0].name),
    settings: objectSchema('ThemeSettings', 'The colors of a theme.', {
      description: z
        .string()
        .meta({ description: 'A short description of the theme.', maxLength: 200 }),
      textColor: presetColor('The text color, #RRGGBB.'),
      accentColor: presetColor('The link color, #RRGGBB.'),
      backgroundColor: presetColor('The background color, #RRGGBB.'),
    }),
  })
  .meta({ id: 'Theme', description: 'A preset theme.', examples: [THEMES[0]] });
export type Theme = z.infer<typeof Theme>;
