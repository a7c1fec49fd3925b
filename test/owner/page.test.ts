import { expect, it } from 'vitest';
import { utcDay } from '#contract/shared/durations.ts';
import { THEMES } from '#contract/themes.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { EMPTY_SITE, FULL_SITE, readSite, updateSite } from '../endpoints/support/site.ts';
import { send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: 'per test',
  PUBLIC_URL: 'https://example.org',
  TRUST_ACCOUNTS: 'false',
});

async function get(path: string) {
  const { status, body } = await send(server, account, `GET /owner/page/${path}`);
  return { status, body };
}

async function post(path: string, json: unknown) {
  const { status, body } = await send(server, account, `POST /owner/page/${path}`, json);
  return { status, body };
}

const UUID_ZERO = '00000000-0000-4000-8000-000000000000';

const REFUSED_VERSION = errorText(400, 'version must be the number of a version, 0 or more.');

it('the choice for the front page is off by default, can be set repeatedly, and is a boolean', async () => {
  const read = async () => (await get('get-front-page')).body;
  const rest = { available: true };
  expect(await read()).toEqual({ visible: false, ...rest });
  for (const visible of [true, true, false]) {
    await post('update-front-page', { visible });
    expect(await read()).toEqual({ visible, ...rest });
  }
  for (const json of [{}, { visible: 'true' }, { visible: null }])
    expect(await post('update-front-page', json)).toEqual(
      errorText(
        400,
        json.visible === undefined ? 'visible is missing.' : 'visible must be true or false.',
      ),
    );
});

it('the visibility of a page can be set repeatedly, is public or for members, and only a change is logged as an event', async () => {
  const statuses: boolean[] = [];
  for (const visible of [false, true, true, false, false]) {
    expect(await post('update-page-visibility', { visible })).toEqual(
      okBody({ visible, members: false }),
    );
    statuses.push((await account.client.site.getSiteStatus()).enabled);
  }
  expect(statuses).toEqual([false, true, true, false, false]);
  expect(await post('update-page-visibility', { visible: true, members: true })).toMatchObject(
    errorText(400, 'members must be false if visible is true.'),
  );
  const { events } = await account.owner.events.listEvents({});
  const keyId = account.key.split('.')[0];
  expect(events.filter(({ type }) => type === 'page_visibility_changed')).toMatchObject([
    { detail: { enabled: false, members: false, by: keyId } },
    { detail: { enabled: true, members: false, by: keyId } },
  ]);
});

it('the visibility of a page puts the display name of a once visible page in quarantine when it is released, and stays on record', async () => {
  const wasVisible = async () => (await account.owner.sessions.getSession()).page_was_visible;
  for (const [name, choices] of [
    ['never-shown', [false]],
    ['was-shown', [true, false]],
  ] as const) {
    await account.client.account.updateDisplayName({ display_name: name });
    expect(await wasVisible()).toBe(false);
    for (const visible of choices) await post('update-page-visibility', { visible });
  }
  expect(await wasVisible()).toBe(true);
  await account.client.account.updateDisplayName({ display_name: 'another-one' });
  expect(await wasVisible()).toBe(true);
  const otherAccount = await server.createNamedAccount('never-shown');
  const json = { display_name: 'was-shown' };
  expect((await send(server, otherAccount, 'POST /account/update-display-name', json)).status).toBe(
    409,
  );
});

it('the versions of a site are listed newest first and can be read', async () => {
  expect(await get('list-page-versions')).toEqual({ status: 200, body: { versions: [] } });
  expect(await get('get-page-version')).toEqual(
    okBody({ version: 0, site: EMPTY_SITE, blocks: [] }),
  );
  await updateSite(account, { bio: 'one' });
  await updateSite(account, FULL_SITE);
  const { versions } = await account.owner.page.listPageVersions();
  const entry = {
    version: expect.any(Number),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    bytes: expect.any(Number),
  };
  expect(versions).toEqual([
    {
      ...entry,
      changed: expect.arrayContaining(['bio', 'theme_id', 'blocks']),
      blocks: expect.arrayContaining([expect.objectContaining({ change: 'added' })]),
    },
    { ...entry, changed: ['bio', 'blocks'], blocks: [] },
  ]);
  const [newest, first] = versions.map(({ version }) => version);
  const { blocks, ...site } = FULL_SITE;
  const currentVersion = { version: newest, site: { ...site, themes: THEMES[2] }, blocks };
  expect(await get('get-page-version')).toEqual({ status: 200, body: currentVersion });
  expect(await get(`get-page-version?version=${newest}`)).toEqual(okBody(currentVersion));
  expect(await get(`get-page-version?version=${first}`)).toEqual(
    okBody({ version: first, site: { ...EMPTY_SITE, bio: 'one' }, blocks: [] }),
  );
});

it('the versions of a site report how many blocks of each kind were added, changed, removed or moved', async () => {
  const [first, second, third] = ['1', '2', '3'].map((digit) => ({
    id: UUID_ZERO.slice(0, -1) + digit,
    type: 'text',
    content: digit,
  }));
  const link = { type: 'link', url: 'https://example.com' };
  await updateSite(account, { blocks: [first, second, third] });
  await updateSite(account, { blocks: [second, first, third] });
  await updateSite(account, { blocks: [link, link, { ...first, content: 'one' }, second] });
  const { versions } = await account.owner.page.listPageVersions();
  expect(versions.map(({ blocks }) => blocks)).toEqual([
    [
      { type: 'link', change: 'added', count: 2 },
      { type: 'text', change: 'changed', count: 1 },
      { type: 'text', change: 'removed', count: 1 },
    ],
    [],
    [{ type: 'text', change: 'added', count: 3 }],
  ]);
});

it("the versions of a site have numbers, and other accounts' versions cannot be found", async () => {
  const otherAccount = await server.createAccount();
  await updateSite(otherAccount, { bio: 'one' });
  await updateSite(otherAccount, { bio: 'two' });
  const { version: otherVersion } = await otherAccount.owner.page.getPageVersion();
  const versionNotFound = (version: number) =>
    errorText(
      404,
      `There is no version ${version} of the site. Only the latest 20 versions are stored.`,
    );
  for (const version of [otherVersion, 4_711, 0, Number.MAX_SAFE_INTEGER]) {
    expect(await get(`get-page-version?version=${version}`)).toEqual(versionNotFound(version));
    expect(await post('restore-page-version', { version })).toEqual(versionNotFound(version));
  }
  for (const version of ['x', '9007199254740993', '1&version=2'])
    expect(await get(`get-page-version?version=${version}`)).toEqual(REFUSED_VERSION);
  for (const version of ['1', -1])
    expect(await post('restore-page-version', { version })).toEqual(REFUSED_VERSION);
});

it('save changes the site only if the given version is current', async () => {
  const { version } = await account.owner.page.updatePage({ ...FULL_SITE, version: 0 });
  await updateSite(account, { bio: 'by another tab' });
  const { version: newest } = await account.owner.page.getPageVersion();
  expect(await post('update-page', { bio: 'mine', version })).toEqual(
    errorText(
      409,
      `The site has changed: it is now at version ${newest}, not ${version}. Nothing was saved.`,
    ),
  );
  const unknown = { bio: 'mine', version: newest + 1 };
  expect((await post('update-page', unknown)).status).toBe(409);
  expect((await readSite(account)).site.bio).toBe('by another tab');
  expect((await post('update-page', { bio: 'mine', version: newest })).status).toBe(200);
  expect((await readSite(account)).site.bio).toBe('mine');
});

it('restoring or saving what is current makes no version, logs no event and looks up no covers', async () => {
  const { id } = account;
  const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  await updateSite(account, { blocks: [{ type: 'link', url }] });
  const { page } = account.owner;
  const { version, blocks } = await page.getPageVersion();
  await server.sql`DELETE FROM events WHERE account_id = ${id}`;
  await server.sql`DELETE FROM covers WHERE account_id = ${id}`;
  expect(await page.restorePageVersion({ version })).toEqual({ version });
  expect(await page.updatePage({ version, blocks })).toEqual({ version });
  expect((await account.owner.events.listEvents()).events).toEqual([]);
  expect(await server.sql`SELECT FROM covers WHERE account_id = ${id}`).toEqual([]);
  await updateSite(account, { bio: 'other' });
  expect((await page.restorePageVersion({ version })).version).toBeGreaterThan(version);
  expect(await server.sql`SELECT FROM covers WHERE account_id = ${id}`).toHaveLength(1);
});

it('get-page-views returns every day up to today, for the account only', async () => {
  const otherAccount = await server.createAccount();
  const view = { kind: 'view', day: utcDay(), value: '' } as const;
  await addPageVisits(server.db, [
    { ...view, accountId: account.id, count: 12 },
    { ...view, accountId: otherAccount.id, count: 7 },
  ]);
  const { days } = await account.owner.page.getPageViews();
  expect(days).toHaveLength(30);
  expect(days.slice(0, -1).every(({ views }) => views === 0)).toBe(true);
  expect(days.at(-1)).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), views: 12 });
  expect(await get('get-page-views?days=1')).toEqual(
    okBody({ days: [days.at(-1)], listed_from: expect.stringMatching(/Z$/) }),
  );
});

it("get-page-views returns until when a new account's page is hidden from search engines", async () => {
  const readListedFrom = async () =>
    (await account.owner.page.getPageViews({ days: 1 })).listed_from;
  const setAccountAge = (age: string) =>
    server.sql`UPDATE accounts SET created_at = now() - ${age}::interval WHERE id = ${account.id}`;
  await setAccountAge('6 days');
  const daysUntilIndexed = (Date.parse((await readListedFrom())!) - Date.now()) / 86_400_000;
  expect(Math.round(daysUntilIndexed)).toBe(1);
  await setAccountAge('8 days');
  expect(await readListedFrom()).toBe(null);
});

it('preview returns the theme after the contrast correction', async () => {
  const colorsOf = async (custom_theme: object) =>
    ((await post('preview-page', { custom_theme })).body as { colors: object }).colors;
  const colors = {
    background_color: '#000080',
    primary_color: '#ffd166',
    button_color: '#ffd166',
    text_color: '#f5f5f5',
    accent_color: expect.not.stringMatching('#0000ff') as string,
  };
  const corrected = { light: colors, dark: colors };
  expect(await colorsOf({ ...colors, accent_color: '#0000ff' })).toEqual(corrected);
  expect(await colorsOf({ text_color: '#ffffff' })).toMatchObject({
    light: { background_color: '#f7f6f3', text_color: expect.not.stringMatching('#ffffff') },
    dark: { text_color: '#ffffff' },
  });
});
