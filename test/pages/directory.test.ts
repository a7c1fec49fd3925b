import { expect, it } from 'vitest';
import { countDirectory, listDirectory } from '#db/queries/directory.ts';
import { createOperator } from '../support/endpoints.ts';
import { createPage } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer({ PUBLIC_URL: 'https://example.org', REGISTRATION: 'invite' });

async function open(path = '/members', cookie?: string) {
  return server.app.inject({
    url: path,
    headers: { accept: 'text/html', ...(cookie && { cookie }) },
  });
}

async function setDirectory(directory: 'off' | 'members' | 'everybody') {
  const operator = await createOperator(server);
  await server.nameplate.instanceStore.refresh();
  const headers = await logIn(server, operator.id);
  const { statusCode } = await server.app.inject({
    method: 'POST',
    url: '/owner/server/update-instance',
    headers,
    payload: { directory },
  });
  expect(statusCode).toBe(200);
}

async function list(title: string, name: string, isListed = true) {
  const page = await createPage(server, { display_name: title, bio: `Sails ${name}\nmore` }, name);
  await page.account.owner.page.updateFrontPage({ visible: isListed });
  return page;
}

it('members who were listed by 0.3 without having agreed are not listed', async () => {
  const { account } = await list('Silent Member', 'silent', false);
  await server.sql`INSERT INTO listings (account_id, told_at, listed_from)
    VALUES (${account.id}, now() - interval '15 days', now() - interval '1 day')`;
  await setDirectory('everybody');
  await server.sql`UPDATE instance SET listing = 'unless_objected'`;
  expect((await open('/members')).body).not.toContain('Silent Member');
  await account.owner.page.updateFrontPage({ visible: true });
  expect((await open('/members')).body).toContain('Silent Member');
  await account.owner.page.updateFrontPage({ visible: false });
  await setDirectory('off');
});

it('the list of members is off by default, then for members, then for everybody', async () => {
  await list('Änne Zorn', 'aenne');
  await list('Bela Rohde', 'bela');
  const { account: crew } = await list('Carl Thies', 'carl');
  await list('Dora Nagy', 'dora', false);
  await crew.owner.page.updatePageVisibility({ visible: false, members: true });
  expect((await open()).statusCode).toBe(404);

  await setDirectory('members');
  const closed = await open();
  expect(closed.body).toContain('The list is for members');
  expect(closed.body).not.toContain('bela');
  const { cookie } = await logIn(server, crew.id);
  const namesIn = (body: string) => [...body.matchAll(/\/@([a-z]+)"/g)].map(([, name]) => name);
  const forMember = await open('/members', cookie);
  expect(namesIn(forMember.body)).toEqual(['aenne', 'bela', 'carl']);
  expect(forMember.headers['cache-control']).toBe('private, no-store, no-transform');
  expect(forMember.body).toContain('noindex');

  await setDirectory('everybody');
  const forAll = await open();
  expect(namesIn(forAll.body)).toEqual(['aenne', 'bela']);
  expect(forAll.body).not.toContain('noindex');
  // A short list needs neither letters, pages nor a search.
  expect(forAll.body).not.toMatch(/<nav class="(?:letters|pages)"|class="(?:letter|find)"/);
  expect((await open('/members?q=bela')).body).toContain('<form class="find"');
  expect(namesIn((await open('/members?q=ANNE')).body)).toEqual(['aenne']);
  expect(namesIn((await open('/members?q=sails')).body)).toEqual(['aenne', 'bela']);
  const byName = await open('/members?q=@aenne');
  expect(namesIn(byName.body)).toEqual(['aenne']);
  expect(byName.body).toMatch(/1 result<.*<a class="button" href="\/members">Show all members/s);
  await list('Jürgen Größe', 'groesse');
  for (const search of ['GROSSE', 'groesse', 'Juergen', 'jurgen gr', 'Größe, Jürgen', 'größe jür'])
    expect(namesIn((await open(`/members?q=${search}`)).body)).toEqual(['groesse']);
  expect((await open('/members?q=%3Cb%3E')).body).toContain('“&lt;b&gt;”');
  expect((await open('/')).body).toContain('href="/members"');
});

it('a page of the list has 60 members, and letters lead to the page that has them', async () => {
  await setDirectory('everybody');
  await server.sql`WITH crew AS (
      SELECT number, gen_random_uuid() AS id FROM generate_series(10, 71) AS number
    ), account AS (INSERT INTO accounts (id) SELECT id FROM crew
    ), name AS (
      INSERT INTO display_names (name, account_id) SELECT 'crew-' || number, id FROM crew
    ) INSERT INTO sites (account_id, enabled, on_front_page, display_name)
      SELECT id, true, true, 'Member ' || number FROM crew`;
  await list('Zoë Prins', 'zoe');
  const { body } = await open();
  expect(body.match(/href="https:\/\/example.org\/@/g)).toHaveLength(60);
  expect(body).toContain('1 to 60 of 66');
  expect(body).toContain('href="/members?page=2#letter-Z"');
  expect((await open('/members?page=2')).body).toContain('61 to 66 of 66');
  // Sorts after capital letters, and before small ones.
  await list('_zero', 'zero');
  const query = { search: '', forMembers: false, joinedBefore: new Date() };
  const letters = await countDirectory(server.db, query);
  expect(letters.slice(0, 2).map(({ letter }) => letter)).toEqual(['_', 'A']);
});

it('letters with a stroke and ligatures are under their base letter, all headings in capitals', async () => {
  await setDirectory('everybody');
  const query = (search: string) => ({
    ...{ search, forMembers: false, joinedBefore: new Date() },
    ...{ limit: 60, offset: 0 },
  });
  const letters = {
    Łukasz: 'L',
    Øyvind: 'O',
    Đorđe: 'D',
    Æsa: 'A',
    Œrsted: 'O',
    Þóra: 'T',
    Яна: 'Я',
  };
  for (const [index, title] of Object.keys(letters).entries())
    await list(`${title} Stroke`, `stroke-${index}`);
  const entries = await listDirectory(server.db, query('stroke'));
  const found = entries.map(({ title, letter }) => [title.split(' ')[0], letter]);
  expect(Object.fromEntries(found)).toEqual(letters);
  expect(found.map(([, letter]) => letter)).toEqual([...'ADLOOTЯ']);
  for (const search of ['Łukasz', 'lukasz', 'LUKASZ'])
    expect(await listDirectory(server.db, query(search))).toHaveLength(1);
});

it('the list follows a new title, line and name, also those that another version saves', async () => {
  await setDirectory('everybody');
  const { account } = await list('Wanda Ort', 'wanda');
  const query = { forMembers: false, joinedBefore: new Date(), limit: 60, offset: 0 };
  const find = async (search: string) => {
    const entries = await listDirectory(server.db, { ...query, search });
    return entries.map(({ name, title, letter }) => [name, title, letter].join(' '));
  };
  await account.client.account.updateDisplayName({ display_name: 'xenia' });
  expect(await find('Xenia ort')).toEqual(['xenia Wanda Ort W']);
  expect(await find('wanda')).toEqual(['xenia Wanda Ort W']);
  await server.sql`UPDATE sites SET display_name = ' ', bio = 'Übt Cello' WHERE account_id = ${account.id}`;
  expect(await find('uebt xenia')).toEqual(['xenia xenia X']);
  expect(await find('wanda')).toEqual([]);
  await account.owner.page.updateFrontPage({ visible: false });
  expect(await find('xenia')).toEqual([]);
});

it('a title and a line of the most text that they may have are listed', async () => {
  await setDirectory('everybody');
  // Each becomes 18 letters in a search.
  await list('\uFDFA'.repeat(200), 'long');
  const search = '\uFDFA'.repeat(3);
  const query = { search, forMembers: false, joinedBefore: new Date(), limit: 60, offset: 0 };
  expect(await listDirectory(server.db, query)).toMatchObject([{ name: 'long' }]);
});

it('the list has the groups that operators show, with those of the list who are in them, and no other group', async () => {
  const { account: soprano } = await list('Sina Alt', 'sina');
  const { account: hidden } = await list('Hanno Hart', 'hanno', false);
  await list('Otto Other', 'otto');
  await setDirectory('everybody');
  const { owner } = await createOperator(server);
  const create = async (name: string, in_directory: boolean) => {
    const { group } = await owner.groups.createGroup({ name, in_directory });
    await owner.groups.addMembers({ group_id: group.id, account_ids: [soprano.id, hidden.id] });
    return group.id;
  };
  const group_id = await create('High <voices>', true);
  await create('Secret circle', false);
  const all = (await open()).body;
  expect(all).toContain('>High &lt;voices&gt;</a>');
  expect(all).not.toContain('Secret');
  const { body } = await open('/members?group=high-voices');
  expect([...body.matchAll(/\/@([a-z]+)"/g)].map(([, name]) => name)).toEqual(['sina']);
  expect(body).toContain('noindex');
  for (const slug of ['secret-circle', 'none'])
    expect((await open(`/members?group=${slug}`)).statusCode).toBe(404);
  await owner.groups.updateGroup({ group_id, in_directory: false });
  expect((await open('/members?group=high-voices')).statusCode).toBe(404);
  expect((await open()).body).not.toContain('voices');
});
