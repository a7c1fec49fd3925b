import { beforeAll, expect, it } from 'vitest';
import type { CheckInvitationsResponse } from '#client/owner.ts';
import { countMembers } from '#db/queries/members.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { okBody } from '../support/expected-responses.ts';
import { createPage } from '../support/publish-page.ts';
import { logIn, postFromPage } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const { server, mailServer } = await useForwarding();
const { server: serverWithoutMail } = useServer();
const { mailsTo, waitForMails } = mailServer;
let session: Record<string, string>;
let sessionWithoutMail: Record<string, string>;

beforeAll(async () => {
  session = await logIn(server, (await createOperator(server)).id);
  const operator = await createOperator(serverWithoutMail);
  sessionWithoutMail = await logIn(serverWithoutMail, operator.id);
});

const post = (path: string, json: unknown) => postFromPage(server, `/owner/${path}`, json, session);

const postWithoutMail = (path: string, json: unknown) =>
  postFromPage(serverWithoutMail, `/owner/${path}`, json, sessionWithoutMail);

it('an operator changes the address of a member, who confirms it by the new inbox', async () => {
  const [old, email] = ['old@example.com', 'new@example.com'];
  const { id: account_id } = await server.createForwardedAccount('moved-house', old);
  await waitForMails(1, old);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
    WHERE account_id = ${account_id}`;
  const change = (json: object) =>
    post('members/update-member-email', { account_id, email, ...json });
  expect(await change({ email: 'a@nameplate.example' })).toMatchObject({ status: 400 });
  expect(await change({})).toMatchObject({
    status: 200,
    body: { member: { email: old, pending_email: email } },
  });
  const [, notice] = await waitForMails(2, old);
  expect(notice!.source).toContain('entered a new email address for your account @moved-house at');
  expect(notice!.source).toContain('Settings shows the new address.');
  expect(notice!.source).not.toContain(email);
  const [mail] = await waitForMails(1, email);
  expect(mail!.source).toContain('entered this address for you at ');
  const [url] = /\/confirm\/[\w-]{43}/.exec(mail!.source)!;
  expect((await server.app.inject({ method: 'POST', url })).statusCode).toBe(200);
  await server.waitUntilSynced();
  const state = (await server.forwarding.list()).find(({ name }) => name === 'moved-house');
  expect(state).toMatchObject({ stage: 'settled', provider_destination: email });
  const trail = server.sql`SELECT action, detail FROM audit_log WHERE account_id = ${account_id}`;
  expect(await trail).toEqual([{ action: 'members.updateMemberEmail', detail: {} }]);
  // Confirmed before: nothing waits.
  await server.sql`UPDATE forwarding_destinations SET confirmed_at = now()
    WHERE account_id = ${account_id}`;
  expect(await change({ email: old })).toMatchObject({
    body: { member: { email: old, pending_email: null } },
  });
  expect(await post('members/delete-member', { account_id })).toMatchObject({ status: 200 });
  await eventually(() => expect(mailsTo(old).at(-1)!.source).toContain(' deleted it.'));
});

it('without mail, operators cannot change an address, because nobody could confirm it', async () => {
  const { id: account_id } = await serverWithoutMail.createAccount();
  const json = { account_id, email: 'new@example.com' };
  expect(await postWithoutMail('members/update-member-email', json)).toMatchObject({
    status: 409,
    body: { error: 'This server sends no mail, so nobody could confirm the address.' },
  });
});

const NAMES = [
  'Müller; "Söhne" مرحبا',
  '=HYPERLINK("https://evil.example")',
  '+49 30',
  '-Anna',
  '@home',
  "'=1",
  "''=1",
  "'t Hooft",
  '＝1',
  'é'.repeat(50),
];

const exportMembers = (query: string) =>
  call(server.app, { path: `/owner/members/export-members?${query}`, headers: session });

async function join(name: string, index: number) {
  const { id } = await server.createNamedAccount(`round-trip-${index}`);
  const email = `p${index}@round.org`;
  await server.sql`UPDATE forwarding_settings SET login_email = ${email} WHERE account_id = ${id}`;
  await server.sql`INSERT INTO sites (account_id, display_name) VALUES (${id}, ${name})`;
  return { id, name, email, display_name: `round-trip-${index}` };
}

it('the exported list of members can be imported on another server, has only who is selected, and is audited', async () => {
  const people = [];
  for (const [index, name] of NAMES.entries()) people.push(await join(name, index));
  const deleting = await join('Gone', NAMES.length);
  await server.sql`UPDATE accounts SET closed_at = now(), suspended_at = now() WHERE id = ${deleting.id}`;
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${people[0]!.id}`;
  const search = encodeURIComponent('@ROUND.org');
  const path = `/owner/members/list-members?search=${search}&limit=1&count=true`;
  expect(await call(server.app, { path, headers: session })).toMatchObject(
    okBody({ total: NAMES.length }),
  );
  const { text, headers } = await exportMembers(`search=${search}`);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const [titles, newest] = text.split('\r\n');
  expect(titles).toBe('\uFEFFname,email,display_name,state,joined,groups');
  expect(newest).toMatch(/^é+,p9@round.org,round-trip-9,active,20\d\d-\d\d-\d\d,$/);
  expect(text).toMatch(/\n"Müller; ""Söhne"" مرحبا",p0@round.org,.*,suspended,/);
  for (const cell of text.split(/[,\r\n]+/)) expect(cell).not.toMatch(/^\uFEFF?"?[=+\-@＝]/);
  const separated = await exportMembers(`search=${search}&separator=semicolon`);
  for (const csv of [text, separated.text]) {
    const response = await postWithoutMail('invitations/check-invitations', { csv });
    const { members } = response.body as CheckInvitationsResponse;
    expect(members).toMatchObject(
      people.map(({ id: _id, ...person }) => ({ ...person, state: 'ready' })).toReversed(),
    );
  }
  const suspended = await exportMembers(`search=${search}&state=suspended`);
  expect(suspended.text.match(/\r\n/g)).toHaveLength(2);
  const [entry] = await server.sql<object>`SELECT action, detail FROM audit_log
      ORDER BY created_at DESC LIMIT 1`;
  expect(entry).toEqual({
    action: 'members.exportMembers',
    detail: { format: 'csv', members: 1 },
  });
});

it('the exported list of members as vCards has a card for each, with its page only if that is visible', async () => {
  const { account, name } = await createPage(server, { display_name: 'Doe, Jane; Dr.' });
  const hidden = await server.createAccount();
  const { text, headers } = await exportMembers(`format=vcf&search=${account.id}`);
  expect(headers['content-disposition']).toMatch(/filename="members-20[-\d]{8}\.vcf"/);
  const title = 'Doe\\, Jane\\; Dr.';
  expect(text.split('\r\n')).toEqual([
    ...['BEGIN:VCARD', 'VERSION:3.0', `UID:urn:uuid:${account.id}`],
    ...[`FN:${title}`, `N:;${title};;;`, `NICKNAME:${name}`],
    ...[`URL:${server.nameplate.pagesOrigin()}/@${name}`, 'END:VCARD', ''],
  ]);
  const other = await exportMembers(`format=vcf&search=${hidden.id}`);
  expect(other.text).toContain(`\r\nFN:${hidden.id}\r\n`);
  expect(other.text).not.toContain('URL:');
});

it('the exported list has all of 1,100 members once, and the audit trail their number', async () => {
  await server.sql`INSERT INTO accounts (created_at)
      SELECT '2020-01-31T00:00:00.123456Z' FROM generate_series(1, 1100)`;
  const { text } = await exportMembers('format=vcf');
  const ids = text.match(/^UID:.*/gm);
  expect(new Set(ids).size).toBe(await countMembers(server.db, {}));
  expect(ids).toHaveLength(new Set(ids).size);
  const [entry] = await server.sql<object>`SELECT detail FROM audit_log
    WHERE action = 'members.exportMembers' ORDER BY created_at DESC LIMIT 1`;
  expect(entry).toEqual({ detail: { format: 'vcf', members: ids?.length } });
  await server.sql`DELETE FROM accounts WHERE created_at = '2020-01-31T00:00:00.123456Z'`;
});
