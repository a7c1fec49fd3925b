import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';
import { SUCCESS, BAD_REQUEST, readSite, updateSite } from './support/site.ts';

const { server } = useServer();

describe('preset themes', () => {
  it('have distinct ids and names', () => {
    expect(new Set(THEMES.map(({ id }) => id)).size).toBe(THEMES.length);
    expect(new Set(THEMES.map(({ name }) => name)).size).toBe(THEMES.length);
  });
});

describe('theme_id and custom_theme', () => {
  it.each(
    withTitles([
      randomUUID(),
      'x',
      1,
      `{${THEMES[0].id}}`,
      THEMES[0].id.toUpperCase(),
      THEMES[0].name,
    ]),
  )('refuses the theme_id $title', async ({ value: themeId }) => {
    const account = await server.createAccount();
    expect(await updateSite(account, { theme_id: themeId })).toEqual({
      status: 400,
      body: { error: 'theme_id must be the id of a preset theme, an empty string or null.' },
    });
  });

  it('coexist: the preset is used, and the custom theme again without it', async () => {
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

  it.each(['background_color', 'primary_color', 'text_color', 'accent_color'])(
    'refuses %s unless it is #RRGGBB',
    async (key) => {
      const account = await server.createAccount();
      for (const color of [
        '#fff',
        'red',
        '#ff00aa\n',
        '＃ff00aa',
        '#ff00aa;}body{color:red}',
        '#gggggg',
        '',
        null,
        1,
      ])
        expect(await updateSite(account, { custom_theme: { [key]: color } })).toEqual({
          status: 400,
          body: {
            error: expect.stringContaining(
              `custom_theme.${key} must be a hex color of the form #RRGGBB.`,
            ),
          },
        });
    },
  );

  it.each(
    withTitles([
      'x;}*{background:url(//e)}',
      '</style>',
      'x'.repeat(101),
      'a\nb',
      'Ärial',
      '',
      null,
      1,
    ]),
  )('refuses the font_family $title', async ({ value: font }) => {
    const account = await server.createAccount();
    expect(await updateSite(account, { custom_theme: { font_family: font } })).toEqual(BAD_REQUEST);
  });

  it.each(withTitles(['Open Sans', 'x'.repeat(100), 'a_b-c, Arial 2']))(
    'accepts the font_family $title',
    async ({ value: font }) => {
      const account = await server.createAccount();
      expect(await updateSite(account, { custom_theme: { font_family: font } })).toEqual(SUCCESS);
      expect((await readSite(account)).site.custom_theme).toEqual({ font_family: font });
    },
  );
});
