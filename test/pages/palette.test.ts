import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { type Palette, coloursOf } from '#page/palette.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);
const custom = fc.record(
  { background_color: colour, primary_color: colour, text_color: colour, accent_color: colour },
  { requiredKeys: [] },
);

function expectReadable(palette: Palette, contrast: number): void {
  for (const background of ['bg', 'surface', 'sunk'] as const)
    for (const text of ['text', 'muted', 'ink', 'accent'] as const)
      expect(wcagContrast(palette[text], palette[background])).toBeGreaterThanOrEqual(contrast);
  expect(wcagContrast(palette.onButton, palette.button)).toBeGreaterThanOrEqual(contrast);
  expect(wcagContrast(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(contrast);
}

describe('the palette of a page', () => {
  it('is readable with every custom theme, with more contrast on request', () => {
    fc.assert(
      fc.property(custom, (theme) => {
        for (const { normal: usual, highContrast: more } of Object.values(
          coloursOf({ theme_id: null, custom_theme: theme }),
        )) {
          expectReadable(usual, 4.5);
          expectReadable(more, 7);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each(THEMES)(
    'of $name has the preset’s colours, also for light mode if it has them',
    ({ id, settings }) => {
      const colours = coloursOf({ theme_id: id, custom_theme: null });
      for (const { normal: usual, highContrast: more } of Object.values(colours)) {
        expectReadable(usual, 4.5);
        expectReadable(more, 7);
      }
      const { normal: usual } = 'single' in colours ? colours.single : colours.light;
      expect(usual).toMatchObject({
        bg: settings.backgroundColor.toLowerCase(),
        text: settings.textColor.toLowerCase(),
        accent: settings.accentColor.toLowerCase(),
      });
    },
  );
});
