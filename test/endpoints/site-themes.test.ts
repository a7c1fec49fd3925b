import { wcagLuminance } from 'culori';
import { expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { useServer } from '../support/use-server.ts';
import { readSite, updateSite } from './support/site.ts';

const { account } = useServer({ account: 'per test' });

it('preset themes have distinct ids and names, at least one light and one dark', () => {
  expect(new Set(THEMES.map(({ id }) => id)).size).toBe(THEMES.length);
  expect(new Set(THEMES.map(({ name }) => name)).size).toBe(THEMES.length);
  const backgroundLuminances = THEMES.map(({ settings }) =>
    wcagLuminance(settings.backgroundColor),
  );
  expect(Math.max(...backgroundLuminances)).toBeGreaterThan(0.8);
  expect(Math.min(...backgroundLuminances)).toBeLessThan(0.05);
});

it('theme_id and custom_theme coexist: the preset is used, and the custom theme again without it', async () => {
  const custom = { custom_theme: { background_color: '#FF00AA', text_color: '#00ff00' } };
  await updateSite(account, { theme_id: THEMES[4].id, ...custom });
  const { id: theme_id } = THEMES[4];
  expect((await readSite(account)).site).toMatchObject({ theme_id, themes: THEMES[4], ...custom });
  await updateSite(account, { theme_id: null });
  const without = { theme_id: null, themes: null, ...custom };
  expect((await readSite(account)).site).toMatchObject(without);
});

it('a custom theme accepts any of its keys, replaces the previous one and drops unknown keys', async () => {
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
