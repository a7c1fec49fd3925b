import { z } from 'zod';
import { uuid } from './uuid.ts';

/** A colour of a theme. */
export const HEX_COLOUR = /^#[0-9A-Fa-f]{6}$/;

/** A built-in theme, applied by sending its `id` as `theme_id`. Colours are `#RRGGBB`. */
export interface PresetTheme {
  id: string;
  name: string;
  settings: {
    description: string;
    textColor: string;
    accentColor: string;
    backgroundColor: string;
  };
}

/**
 * The seven preset themes. Text and accent stand on the background with a contrast of at least 4.5:1
 * (WCAG 2.2, AA).
 */
export const THEMES = [
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01',
    name: 'Paper',
    settings: {
      description: 'Black ink on warm white paper.',
      textColor: '#1F1B16',
      accentColor: '#9A3412',
      backgroundColor: '#FBF8F1',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02',
    name: 'Daylight',
    settings: {
      description: 'Clean white with a clear blue.',
      textColor: '#0F172A',
      accentColor: '#1D4ED8',
      backgroundColor: '#FFFFFF',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03',
    name: 'Meadow',
    settings: {
      description: 'Soft green, like grass after rain.',
      textColor: '#14281D',
      accentColor: '#166534',
      backgroundColor: '#ECF7EE',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04',
    name: 'Blossom',
    settings: {
      description: 'Pale pink with a strong berry.',
      textColor: '#3B0A1E',
      accentColor: '#9D174D',
      backgroundColor: '#FDF2F6',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05',
    name: 'Midnight',
    settings: {
      description: 'Light text on deep blue, easy at night.',
      textColor: '#E2E8F0',
      accentColor: '#7DD3FC',
      backgroundColor: '#0B1220',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06',
    name: 'Ember',
    settings: {
      description: 'Glowing orange on charcoal.',
      textColor: '#F5F0EB',
      accentColor: '#FDBA74',
      backgroundColor: '#1C1512',
    },
  },
  {
    id: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07',
    name: 'Terminal',
    settings: {
      description: 'Phosphor green on black.',
      textColor: '#D1FADF',
      accentColor: '#4ADE80',
      backgroundColor: '#050A07',
    },
  },
] as const satisfies readonly PresetTheme[];

function presetColour(description: string): z.ZodString {
  return z.string().meta({ description, pattern: HEX_COLOUR.source, maxLength: 7 });
}

/** One of the seven built-in themes. */
export const Theme = z
  .object({
    id: uuid().meta({
      description: 'The id to send as theme_id.',
      examples: [THEMES[0].id],
    }),
    name: z
      .string()
      .meta({ description: 'The name of the theme.', maxLength: 50, examples: [THEMES[0].name] }),
    settings: z
      .object({
        description: z.string().meta({ description: 'The theme in a few words.', maxLength: 200 }),
        textColor: presetColour('Colour of the text, #RRGGBB.'),
        accentColor: presetColour('Colour of links, #RRGGBB.'),
        backgroundColor: presetColour('Colour of the page, #RRGGBB.'),
      })
      .meta({ id: 'ThemeSettings', description: 'The look of a theme.' }),
  })
  .meta({ id: 'Theme', description: 'A built-in theme.', examples: [THEMES[0]] });
export type Theme = z.infer<typeof Theme>;
