import { readdirSync } from 'node:fs';
import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PAGE_SETTINGS, type PageSettingName } from '#contract/shared/page-settings.ts';
import { THEMES } from '#contract/themes.ts';
import { type Palette, colorsOf } from '#page/design/palette.ts';
import type { PublicSite } from '#page/public-site.ts';
import { designOf } from '#page/themes/index.ts';
import { type Page, attribute, block, renderPage, pageSettings, readText } from './support/site.ts';

const NAMES = Object.keys(PAGE_SETTINGS) as PageSettingName[];
const VALUES = NAMES.flatMap((name) =>
  Object.keys(PAGE_SETTINGS[name].options)
    .filter((value) => value !== 'theme')
    .map((value) => [name, value] as const),
);
const PICTURE = 'https://cdn.example/view.jpg';

const withSettings = (settings: object, site: Partial<PublicSite> = {}) =>
  renderPage({
    ...site,
    settings: pageSettings(settings),
    blocks: [
      block('link', { url: 'https://example.com/' }),
      block('quote', { content: 'Slow is smooth.' }),
    ],
  });
const styleSheet = (page: Page) => readText(page.findAll('style')[0]!);
const backdropImage = (page: Page) =>
  page.findAll('img').find((image) => attribute(image, 'class') === 'backdrop');

it.each(VALUES)('a page setting changes every theme: %s is %s', (name, value) => {
  const settings = { [name]: value, background_picture: PICTURE };
  const affectedThemes = [null, ...THEMES.map(({ id }) => id)].filter((themeId) => {
    const page = withSettings(settings, { theme_id: themeId });
    expect(page.parseErrors).toEqual([]);
    return page.html !== withSettings({}, { theme_id: themeId }).html;
  });
  // A theme may already use the fonts of this setting.
  expect(affectedThemes.length).toBeGreaterThanOrEqual(name === 'fonts' ? 6 : 8);
});

it('a page setting falls back to the theme if its value is unknown or null', () => {
  const defaultHtml = withSettings({}).html;
  for (const name of NAMES)
    for (const value of ['theme', 'x', '', 7, null, {}, ['round'], '__proto__', 'toString'])
      expect(withSettings({ [name]: value }).html).toBe(defaultHtml);
  expect(withSettings({ background: 'picture' }).html).toBe(defaultHtml);
  expect(withSettings({ background: 'picture', background_picture: 'javascript:1' }).html).toBe(
    defaultHtml,
  );
  expect(withSettings({ background_picture: PICTURE }).html).toBe(defaultHtml);
});

it('a page setting has a style sheet, and each style sheet belongs to a setting', () => {
  const folder = new URL('../../page/styles/settings/', import.meta.url);
  const expected = VALUES.filter(([name]) => name !== 'fonts').map(
    ([name, value]) => `${name}-${value}.css`,
  );
  expect(readdirSync(folder)).toEqual(
    [...expected, 'buttons-bordered.css', 'layout-one-column.css'].toSorted(),
  );
});

it('a page setting can use fonts of this server or system fonts', () => {
  const sheet = styleSheet(withSettings({ fonts: 'playfair' }, { theme_id: THEMES[6].id }));
  expect(sheet).toMatch(/--body:"Lora",.*--head:"Playfair Display",/);
  expect(sheet).toContain('@font-face{font-family:"Lora"');
  expect(styleSheet(withSettings({ fonts: 'system' }))).not.toContain('@font-face');
});

it('a page setting can hide the avatar', () => {
  for (const avatarUrl of [null, PICTURE])
    expect(withSettings({ avatar: 'none' }, { avatar_url: avatarUrl }).html).not.toContain(
      'class="avatar',
    );
});

it('a page setting shows a background picture over TLS, without a referrer', () => {
  const settings = { background: 'picture', background_picture: 'http://cdn.example/view.jpg' };
  const picture = backdropImage(withSettings(settings))!;
  expect(attribute(picture, 'src')).toBe(PICTURE);
  expect(attribute(picture, 'alt')).toBe('');
  expect(attribute(picture, 'referrerpolicy')).toBe('no-referrer');
  expect(backdropImage(withSettings({ ...settings, background: 'gradient' }))).toBeUndefined();
});

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

it('the palette of a page has enough contrast with every custom theme, and more in high contrast mode', () => {
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

it.each(THEMES)(
  "the palette of a page of $name has the theme's colors, and enough contrast",
  ({ id, settings }) => {
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
  },
);

/** All colors that can be behind text. A scrim covers the picture, which can be black or white. */
function backgroundsOf({ bg, glow, scrim }: Palette): string[] {
  if (scrim === undefined) return [bg, glow!];
  const opacity = Number.parseInt(scrim.slice(7), 16) / 255;
  const mixScrim = (pictureChannel: number) =>
    [1, 3, 5]
      .map((offset) => Number.parseInt(scrim.slice(offset, offset + 2), 16))
      .map((channel) => Math.round(channel * opacity + pictureChannel * (1 - opacity)))
      .map((channel) => channel.toString(16).padStart(2, '0'))
      .join('');
  return [bg, `#${mixScrim(0)}`, `#${mixScrim(255)}`];
}

it.each(['gradient', 'pattern', 'picture'] as const)(
  'text has enough contrast on a %s background, with any colors and picture',
  (background) => {
    const themes = THEMES.map(({ id }) => ({ theme_id: id, custom_theme: null }));
    const customColors = fc
      .record({ background_color: color, text_color: color, accent_color: color })
      .map((custom_theme) => ({ theme_id: null, custom_theme }));
    const checkContrast = (theme: Parameters<typeof colorsOf>[0]) => {
      for (const { normal, highContrast } of Object.values(colorsOf({ ...theme, background })))
        for (const [palette, contrast] of [
          [normal, 4.5],
          [highContrast, 7],
        ] as const)
          for (const backdrop of backgroundsOf(palette))
            for (const text of ['text', 'muted', 'ink', 'accent'] as const)
              // Tolerate the rounding of colors.
              expect(wcagContrast(palette[text], backdrop)).toBeGreaterThanOrEqual(contrast - 0.06);
    };
    for (const theme of themes) checkContrast(theme);
    fc.assert(fc.property(customColors, checkContrast), { numRuns: 50 });
  },
);

it('a look has colors that need no correction for contrast, in light and dark mode', () => {
  for (const look of ['gallery', 'citrus', 'velvet', 'notebook'] as const) {
    const settings = { theme_id: null, custom_theme: { background_color: '#ff0000' }, look };
    const colors = colorsOf(settings);
    if ('single' in colors) throw new Error('a look must have a dark mode');
    const { dark, ...design } = designOf(null, look);
    expect(colors.light.normal).toMatchObject(design.colors);
    expect(colors.dark.normal).toMatchObject(dark!);
  }
});
