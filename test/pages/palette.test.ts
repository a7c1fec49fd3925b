import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { type Palette, colorsOf } from '#page/palette.ts';

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);
const custom = fc.record(
  { background_color: color, primary_color: color, text_color: color, accent_color: color },
  { requiredKeys: [] },
);

function expectReadable(palette: Palette, minContrast: number): void {
  for (const background of ['bg', 'surface', 'sunk'] as const)
    for (const text of ['text', 'muted', 'ink', 'accent'] as const)
      expect(wcagContrast(palette[text], palette[background])).toBeGreaterThanOrEqual(minContrast);
  expect(wcagContrast(palette.onButton, palette.button)).toBeGreaterThanOrEqual(minContrast);
  expect(wcagContrast(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(minContrast);
}

describe('the palette of a page', () => {
  it('has enough contrast with every custom theme, and more in high contrast mode', () => {
    fc.assert(
      fc.property(custom, (theme) => {
        for (const { normal, highContrast } of Object.values(
          colorsOf({ theme_id: null, custom_theme: theme }),
        )) {
          expectReadable(normal, 4.5);
          expectReadable(highContrast, 7);
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each(THEMES)("of $name has the theme's colors, and enough contrast", ({ id, settings }) => {
    const colors = colorsOf({ theme_id: id, custom_theme: null });
    for (const { normal, highContrast } of Object.values(colors)) {
      expectReadable(normal, 4.5);
      expectReadable(highContrast, 7);
    }
    const { normal } = 'single' in colors ? colors.single : colors.light;
    expect(normal).toMatchObject({
      bg: settings.backgroundColor.toLowerCase(),
      text: settings.textColor.toLowerCase(),
      accent: settings.accentColor.toLowerCase(),
    });
  });
});
