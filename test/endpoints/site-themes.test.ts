import { expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { useServer } from '../support/use-server.ts';
import { readSite, updateSite } from './support/site.ts';

const { server } = useServer();

it('preset themes have distinct ids and names, at least one light and one dark', () => {
  expect(new Set(THEMES.map(({ id }) => id)).size).toBe(THEMES.length);
  expect(new Set(THEMES.map(({ name }) => name)).size).toBe(THEMES.length);
  const backgroundLuminances = THEMES.map(({ settings }) => luminance(settings.backgroundColor));
  expect(Math.max(...backgroundLuminances)).toBeGreaterThan(0.8);
  expect(Math.min(...backgroundLuminances)).toBeLessThan(0.05);
});

it.each(THEMES)(
  'preset themes $name has text and accent with a contrast of 4.5 (WCAG AA)',
  ({ settings }) => {
    const { textColor, accentColor, backgroundColor } = settings;
    expect(contrast(textColor, backgroundColor)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accentColor, backgroundColor)).toBeGreaterThanOrEqual(4.5);
  },
);

it('theme_id and custom_theme coexist: the preset is used, and the custom theme again without it', async () => {
  const account = await server.createAccount();
  const custom = { background_color: '#FF00AA', text_color: '#00ff00' };
  await updateSite(account, { theme_id: THEMES[4].id, custom_theme: custom });
  expect((await readSite(account)).site).toMatchObject({
    theme_id: THEMES[4].id,
    themes: THEMES[4],
    custom_theme: custom,
  });
  await updateSite(account, { theme_id: null });
  expect((await readSite(account)).site).toMatchObject({
    theme_id: null,
    themes: null,
    custom_theme: custom,
  });
});

it('a custom theme accepts any of its keys, replaces the previous one and drops unknown keys', async () => {
  const account = await server.createAccount();
  const completeTheme = {
    background_color: '#101418',
    primary_color: '#FFD166',
    text_color: '#F5F5F5',
    accent_color: '#06d6a0',
    font_family: 'Open Sans, sans-serif',
  };
  await updateSite(account, { custom_theme: { ...completeTheme, evil: 1 } });
  expect((await readSite(account)).site.custom_theme).toEqual(completeTheme);
  await updateSite(account, { custom_theme: { text_color: '#000000' } });
  expect((await readSite(account)).site.custom_theme).toEqual({ text_color: '#000000' });
  await updateSite(account, { custom_theme: {} });
  expect((await readSite(account)).site.custom_theme).toEqual({});
});

/** Relative luminance of a `#RRGGBB` color, as defined in WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((offset) => {
    const channel = Number.parseInt(color.slice(offset, offset + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colors, as defined in WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
