import { afterEach, beforeAll, expect, it } from 'vitest';
import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { THEMES } from '#contract/themes.ts';
import { resolveClubTheme } from '#page/design/club-theme.ts';
import { readSite, SUCCESS, updateSite } from '../endpoints/support/site.ts';
import { send } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { addPicture } from '../support/pictures.ts';
import { createPage } from '../support/publish-page.ts';
import { useServer } from '../support/use-server.ts';
import { pageSettings } from './support/site.ts';

const { server, account: operator } = useServer({ account: true });
beforeAll(() => makeOperator(server, operator));

const CLUB = { name: 'Skerry Sailing Club', color: '#0b2a45', theme_fonts: 'grotesk' };
const OFF = { name: null, color: null, theme_fonts: null, cover_url: null };
const MEMBER = { bio: 'Helmsman.', theme_id: CLUB_THEME_ID } as const;

const change = (json: object) => send(server, operator, 'POST /owner/server/update-instance', json);
const show = async (name: string) => (await server.app.inject(`/@${name}`)).payload;
afterEach(() => change(OFF));

it('a page in the theme of the club is Default with its fonts, color and cover, and follows them', async () => {
  const { url } = await addPicture(server, operator, { width: 1200, height: 600 });
  const { body } = await change({ ...CLUB, cover_url: url, cover_focus: '50% 40%' });
  const cover = new URL((body as { instance: { cover_url: string } }).instance.cover_url).pathname;
  const { name } = await createPage(server, MEMBER);
  const page = await show(name);
  expect(page).toContain('data-theme="default"');
  expect(page).toContain('--head:"Space Grotesk"');
  expect(page).toContain('--accent:light-dark(#0b2a45,');
  expect(page).toMatch(new RegExp(`class="backdrop"\\s+src="${cover}"`));
  expect(page).toContain('.backdrop{object-position:50% 40%}');
  await change({ color: '#7a2020', theme_fonts: 'lora', cover_url: null });
  const changed = await show(name);
  expect(changed).toContain('--head:"Lora"');
  expect(changed).toContain('--accent:light-dark(#7a2020,');
  expect(changed).not.toContain('class="backdrop"');
});

it('the settings of a page win over the theme of the club, and a look replaces it', async () => {
  const { url } = await addPicture(server, operator, { width: 1200, height: 600 });
  await change({ ...CLUB, cover_url: url });
  const { id, fields: _fields } = pageSettings({});
  const showWith = async (settings: object) => {
    const blocks = [{ id, type: 'page', enabled: true, ...settings }] as never;
    return show((await createPage(server, { ...MEMBER, blocks })).name);
  };
  const page = await showWith({ fonts: 'mono', background: 'solid' });
  expect(page).toContain('--head:"JetBrains Mono"');
  expect(page).not.toContain('class="backdrop"');
  const look = await showWith({ look: 'velvet' });
  expect(look).toContain('data-theme="velvet"');
  expect(look).not.toMatch(/class="backdrop"|#0b2a45|Space Grotesk/);
});

it('members find the theme of the club first, under its name; without one, it is not there', async () => {
  const { account } = await createPage(server);
  expect((await readSite(account)).availableThemes).toEqual(THEMES);
  await change(CLUB);
  const { bio, theme_id } = MEMBER;
  expect(await updateSite(account, { bio, theme_id })).toEqual(SUCCESS);
  const { site, availableThemes } = await readSite(account);
  expect(availableThemes.slice(1)).toEqual(THEMES);
  expect(availableThemes[0]).toMatchObject({ id: CLUB_THEME_ID, name: CLUB.name });
  expect(availableThemes[0]!.settings).toMatchObject({ accentColor: '#0b2a45' });
  expect(site.themes).toEqual(availableThemes[0]);
});

it('off, pages in the theme of the club look like Default and keep it; others never change', async () => {
  const other = await createPage(server, { theme_id: THEMES[0].id, bio: MEMBER.bio });
  const paper = await show(other.name);
  await change({ theme_fonts: 'grotesk' });
  const { account, name } = await createPage(server, {
    ...MEMBER,
    custom_theme: { accent_color: '#ff00aa' },
  });
  const club = await show(name);
  await change({ theme_fonts: null });
  const off = await show(name);
  expect(off).not.toMatch(/Space Grotesk|#ff00aa/);
  expect(await show(other.name)).toBe(paper);
  const { site } = await readSite(account);
  expect(site).toMatchObject({ theme_id: CLUB_THEME_ID, themes: null });
  expect(await updateSite(account, { theme_id: site.theme_id })).toEqual(SUCCESS);
  await change({ theme_fonts: 'grotesk' });
  expect(await show(name)).toBe(club);
  await change({ theme_fonts: null });
  await updateSite(account, { theme_id: null, custom_theme: null });
  expect(await show(name)).toBe(off);
});

it('fonts that this version does not know are no theme', () => {
  const site = { theme_id: CLUB_THEME_ID, custom_theme: null };
  const theme = { theme_fonts: 'future' as never, color: null, cover_id: null, cover_focus: null };
  expect(resolveClubTheme(site, theme)).toEqual({ theme_id: null, custom_theme: null });
});

it('a server without a theme of its own says so to a page that comes with one', async () => {
  const { account } = await createPage(server, { bio: 'Before.' });
  for (const [path, body] of [
    ['POST /site/update-site-configuration', MEMBER],
    ['POST /owner/page/update-page', { ...MEMBER, version: 1 }],
    ['POST /owner/page/preview-page', MEMBER],
  ] as const)
    expect(await send(server, account, path, body)).toMatchObject({
      ...errorCode(400, 'clubThemeOff'),
      text: expect.stringContaining('choose another theme, such as Paper'),
    });
  expect((await readSite(account)).site).toMatchObject({ bio: 'Before.', theme_id: null });
});

it('the front page draws the card of such a page in the colors of the club', async () => {
  await change(CLUB);
  const { account } = await createPage(server, MEMBER);
  await send(server, account, 'POST /owner/page/update-front-page', { visible: true });
  expect((await server.app.inject('/')).payload).toMatch(
    /\.page-0\{[^}]*--accent:light-dark\(#0b2a45/,
  );
});
