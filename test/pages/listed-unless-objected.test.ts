import { beforeAll, expect, it } from 'vitest';
import { tellMembers } from '#server/features/listing/tell-members.ts';
import { waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { createOperator } from '../support/endpoints.ts';
import { createPage } from '../support/publish-page.ts';
import { logIn } from '../support/session.ts';

const { server, mailServer } = await useForwarding({ registration: 'invite' });
const { received } = mailServer;
let headers: Awaited<ReturnType<typeof logIn>>;

beforeAll(async () => {
  const operator = await createOperator(server);
  headers = await logIn(server, operator.id);
});

async function update(payload: object) {
  const url = '/owner/server/update-instance';
  return server.app.inject({ method: 'POST', url, headers, payload });
}

async function undecided() {
  const url = '/owner/server/get-instance';
  return (await server.app.inject({ url, headers })).json().undecided_members;
}

const open = (url: string, method: 'GET' | 'POST' = 'GET') =>
  server.app.inject({ url, method, headers: { accept: 'text/html' } });

async function listed() {
  const { body } = await open('/members');
  return [...body.matchAll(/\/@([a-z]+)"/g)].map(([, name]) => name);
}

async function join(name: string) {
  const { account } = await createPage(server, { display_name: name }, name);
  await server.sql`UPDATE forwarding_settings SET login_email = ${`${name}@example.com`}
    WHERE account_id = ${account.id}`;
  return account;
}

/** Returns who got a mail, and the mails. */
async function tell() {
  const before = received.length;
  await tellMembers(server.nameplate);
  await waitUntilMailsSent(server.db);
  const mails = received.slice(before);
  return { mails, to: mails.flatMap((mail) => mail.to).toSorted() };
}

const daysPass = () =>
  server.sql`UPDATE listings SET listed_from = listed_from - interval '14 days 1 minute'`;

it('members are told by mail and in Settings, and listed 14 days later unless they object', async () => {
  const [anna, bert, cleo, dora] = [
    await join('anna'),
    await join('bert'),
    await join('cleo'),
    await join('dora'),
  ];
  const silent = await createPage(server, {}, 'silent');
  await anna.owner.page.updateFrontPage({ visible: true });
  await dora.owner.page.updateFrontPage({ visible: false });
  await update({ directory: 'everybody' });
  expect((await tell()).to).toEqual([]);
  expect(await undecided()).toBe(2);
  expect((await update({ listing: 'unless_objected' })).statusCode).toBe(200);
  const untold = { unless_objected: true, listed_from: null };
  expect(await bert.owner.page.getFrontPage()).toMatchObject(untold);

  const { to, mails } = await tell();
  expect(to).toEqual(['bert@example.com', 'cleo@example.com']);
  expect((await tell()).to).toEqual([]);
  expect(await listed()).toEqual(['anna']);
  const { listed_from } = await bert.owner.page.getFrontPage();
  const days = (Date.parse(listed_from!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(13.99);
  expect(days).toBeLessThanOrEqual(14);
  const date = new Date(listed_from!).toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  expect(mails[0]!.source).toContain(date);
  const decided = { unless_objected: false, listed_from: null };
  expect(await anna.owner.page.getFrontPage()).toMatchObject(decided);

  const path = /\/unsubscribe\/listing\/[\w-]{36}/;
  const mailToCleo = mails.find((mail) => mail.to.includes('cleo@example.com'));
  const link = path.exec(mailToCleo!.source)![0];
  expect((await open(link)).body).toContain('<button');
  await daysPass();
  expect(await listed()).toEqual(['anna', 'bert', 'cleo']);
  expect((await open(link, 'POST')).body).toContain('You are not in the list of members');
  const again = (await open(link)).body;
  expect(again).toContain('You are not in the list of members');
  expect(again).not.toContain('<button');
  expect(await listed()).toEqual(['anna', 'bert']);
  expect(await cleo.owner.page.getFrontPage()).toMatchObject({ objected: true, ...decided });
  expect((await bert.owner.page.getFrontPage()).objected).toBe(false);
  expect((await open(`${link.slice(0, -4)}0000`, 'POST')).statusCode).toBe(404);

  await bert.owner.page.updatePageVisibility({ visible: false, members: true });
  expect(await listed()).toEqual(['anna']);
  await bert.owner.page.updatePageVisibility({ visible: true });
  expect((await open('/')).body).not.toContain('/@bert');
  await cleo.owner.page.updateFrontPage({ visible: true });
  expect(await listed()).toEqual(['anna', 'bert', 'cleo']);
  expect((await cleo.owner.page.getFrontPage()).objected).toBe(false);

  await update({ listing: 'agreed' });
  expect(await listed()).toEqual(['anna', 'cleo']);
  await update({ listing: 'unless_objected' });
  expect(await listed()).toEqual(['anna', 'cleo']);
  await join('emil');
  expect(await undecided()).toBe(2);
  expect((await tell()).to).toEqual(['bert@example.com', 'emil@example.com']);
  await daysPass();
  expect(await listed()).toEqual(['anna', 'bert', 'cleo', 'emil']);

  // Who was told that members see the list is told again before everybody does.
  await update({ directory: 'members' });
  await update({ directory: 'everybody' });
  expect(await listed()).toEqual(['anna', 'cleo']);
  expect((await silent.account.owner.page.getFrontPage()).listed_from).toBeNull();
});

it('members are told once their page is published', async () => {
  await update({ directory: 'members', listing: 'unless_objected' });
  await tell();
  const frida = await join('frida');
  await frida.owner.page.updatePageVisibility({ visible: false });
  expect(await undecided()).toBe(2);
  expect((await tell()).to).toEqual([]);
  await frida.owner.page.updatePageVisibility({ visible: false, members: true });
  expect((await tell()).to).toEqual(['frida@example.com']);
});

it('the choice is for servers where operators decide who joins', async () => {
  const { config } = server.nameplate;
  config.REGISTRATION = 'approval';
  expect(await undecided()).toBe(3);
  await join('gerd');
  expect((await tell()).to).toEqual(['gerd@example.com']);
  await daysPass();
  config.REGISTRATION = 'open';
  const { statusCode, body } = await update({ listing: 'unless_objected' });
  expect(await undecided()).toBeNull();
  expect((await tell()).to).toEqual([]);
  config.REGISTRATION = 'invite';
  expect(statusCode).toBe(409);
  expect(body).toContain('With open sign-up');
});

it('an invitation says whether the list will have the person', async () => {
  const preview = async (instance: object) => {
    await update(instance);
    const url = '/owner/invitations/preview-invitation';
    const payload = { email: 'eve@example.com' };
    const { body } = await server.app.inject({ method: 'POST', url, headers, payload });
    return body;
  };
  expect(await preview({ directory: 'off' })).not.toContain('list of members');
  const agreed = { directory: 'members', listing: 'agreed' };
  expect(await preview(agreed)).toContain('You will be in it only if you agree.');
  const objected = await preview({ listing: 'unless_objected' });
  expect(objected).toContain('You will be in it once your page is published, unless you object');
});
