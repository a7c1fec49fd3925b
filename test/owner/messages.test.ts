import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { CreateMessageRequest } from '#client/owner.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { waitUntilMailsSent, waitUntilNoMailIsDue } from '../forwarding/mail-server.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { call, send } from '../support/call.ts';
import { makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import type { TestAccount } from '../support/test-app.ts';

const { server, mailServer } = await useForwarding();
const { received, waitForMails } = mailServer;
let operator: TestAccount;

const MESSAGE: CreateMessageRequest = {
  audience: 'all',
  subject: 'Work party: bring {tools}',
  text: 'Dear {name},\r\n\r\nsee https://club.example/plan.\n<b>Ten</b> o’clock\n\n\n-- Nora',
};

const NOTICE = { ...MESSAGE, official: true };

const setContact = (contact: string | null) =>
  server.db.transaction().execute((trx) => saveInstance(trx, { name: 'Sea Club', contact }));

beforeAll(async () => {
  operator = await server.createNamedAccount('secretary');
  await makeOperator(server, operator);
});

beforeEach(async () => {
  await server.sql`DELETE FROM messages`;
  await server.sql`DELETE FROM message_subscriptions`;
  await server.sql`DELETE FROM display_names WHERE account_id <> ${operator.id}`;
  await server.sql`DELETE FROM accounts WHERE id <> ${operator.id}`;
  await server.sql`UPDATE forwarding_settings SET login_email = NULL`;
  await setContact('board@club.example');
});

/** A member with a confirmed address. */
async function join(name: string, email = `${name}@example.com`) {
  const member = await server.createNamedAccount(name);
  await server.sql`UPDATE forwarding_settings SET login_email = ${email}
    WHERE account_id = ${member.id}`;
  return member;
}

const post = (operation: string, json: object = MESSAGE) =>
  send(server, operator, `POST /owner/messages/${operation}`, json);
const list = async () => operator.owner.messages.listMessages();
const listRecipients = async (message_id: string, query: { limit?: number; after?: string } = {}) =>
  operator.owner.messages.listMessageRecipients({ message_id, ...query });
const create = async (message = MESSAGE) =>
  (await operator.owner.messages.createMessage(message)).message.id;
const waitUntilSent = () => waitUntilMailsSent(server.db);
const recipients = () => received.flatMap(({ to }) => to).toSorted();
const unsubscribePath = (source: string) =>
  /^List-Unsubscribe: <https:\/\/names\.example\.org(\/unsubscribe\/[\w-]{36})>/m.exec(
    source.replaceAll(/\r\n\s+/g, ' '),
  )![1]!;
const subscriptionOf = async ({ owner }: TestAccount) =>
  (await owner.sessions.getSession()).messages;

it('a message to members is one mail for each mailbox of active, subscribed members, as counted before', async () => {
  await join('anna');
  await join('karl', 'both@example.com');
  await join('lena', 'Both@Example.com');
  const [gone, suspended] = [await join('gone'), await join('suspended')];
  await server.createNamedAccount('no-address');
  await server.sql`UPDATE forwarding_settings SET forwarding_email = 'typo@example.com',
      forwarding_confirmed = false WHERE account_id = ${(await server.createAccount()).id}`;
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.id}`;
  await send(server, gone, 'POST /owner/account/update-messages', { messages: false });
  expect(await post('preview-message', { audience: 'all' })).toMatchObject(
    // The operator has no address, either.
    okBody({
      recipients: 2,
      unsubscribed: 1,
      unreachable: 3,
      shared: 1,
      outside: 0,
      suspended: 1,
    }),
  );
  const id = await create();
  await waitUntilSent();
  expect(recipients()).toEqual(['anna@example.com', 'both@example.com']);
  expect(await list()).toMatchObject({
    messages: [{ id, subject: MESSAGE.subject, waiting: 0, sent: 2, failed: 0, skipped: 4 }],
    remaining: 1,
    sendable_at: null,
  });
  const states = (await listRecipients(id)).recipients.map((row) => [row.display_name, row.state]);
  expect(states).toEqual([
    [null, 'unreachable'],
    ['anna', 'sent'],
    ['gone', 'unsubscribed'],
    ['karl', 'sent'],
    ['lena', 'shared'],
    ['no-address', 'unreachable'],
    ['secretary', 'unreachable'],
  ]);
  const [audit] = await server.sql<object>`SELECT action, detail FROM audit_log
      ORDER BY created_at DESC LIMIT 1`;
  expect(audit).toMatchObject({
    action: 'messages.createMessage',
    detail: { message: id, subject: MESSAGE.subject, audience: 'all', recipients: 2 },
  });
});

it('a message to members has its text unchanged, replies to the contact, and a header to unsubscribe', async () => {
  await join('anna');
  const preview = await post('preview-message');
  await create();
  const [{ source } = { source: '' }] = await waitForMails(1);
  const headers = source.slice(0, source.indexOf('\r\n\r\n'));
  expect(headers).toMatch(/^Reply-To: board@club\.example$/m);
  expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(headers).toMatch(/^Message-ID: <[\da-f]{32}@[\w.]+>$/m);
  expect(source).toContain('Dear {name},');
  expect(source).toContain('<a href="https://club.example/plan">https://club.example/plan</a>.');
  expect(source).toContain('&lt;b&gt;Ten&lt;/b&gt;');
  const { text } = preview.body as { text: string };
  expect(text).toContain('-- Nora');
  const lines = text.split('\n').filter((line) => /^[!-~ ]*[!-~]$/.test(line));
  expect(lines).toContain('Sent by Sea Club to its members.');
  for (const line of lines.filter((part) => !part.startsWith('Unsubscribe:')))
    expect(source).toContain(`${line}\r\n`);
});

it('the preview of a message to all members counts invited people who have not joined', async () => {
  await server.sql`INSERT INTO invitations (email, expires_at, uses)
    VALUES ('new@example.com', now() + interval '1 day', 0),
      ('late@example.com', now() - interval '1 day', 0),
      ('joined@example.com', now() + interval '1 day', 1), (NULL, now() + interval '1 day', 0)`;
  expect(await post('preview-message', { audience: 'all' })).toMatchObject(okBody({ invited: 2 }));
  expect(await post('preview-message', { audience: 'unseen' })).toMatchObject(
    okBody({ invited: 0 }),
  );
  await server.sql`DELETE FROM invitations`;
});

it('a message to groups goes once to who is in several, and keeps the names of the groups', async () => {
  const [anna, karl, gone] = [await join('anna'), await join('karl'), await join('gone')];
  await join('outsider');
  await send(server, gone, 'POST /owner/account/update-messages', { messages: false });
  const group_ids = await Promise.all(
    ['Altos', 'Board'].map(
      async (name) => (await operator.owner.groups.createGroup({ name })).group.id,
    ),
  );
  for (const group_id of group_ids)
    await operator.owner.groups.addMembers({ group_id, account_ids: [anna.id, gone.id] });
  await operator.owner.groups.addMembers({ group_id: group_ids[1]!, account_ids: [karl.id] });
  const message = { ...MESSAGE, audience: 'groups' as const, group_ids };
  expect(await post('preview-message', message)).toMatchObject(
    okBody({ recipients: 2, unsubscribed: 1, unreachable: 0, suspended: 0 }),
  );
  const id = await create(message);
  await waitUntilSent();
  expect(recipients()).toEqual(['anna@example.com', 'karl@example.com']);
  // A notice reaches who unsubscribed, too, but nobody outside the group.
  mailServer.received.length = 0;
  const notice = { ...message, group_ids: [group_ids[0]!], official: true };
  expect(await post('preview-message', notice)).toMatchObject(okBody({ recipients: 2 }));
  await create(notice);
  await waitUntilSent();
  expect(recipients()).toEqual(['anna@example.com', 'gone@example.com']);
  await operator.owner.groups.deleteGroup({ group_id: group_ids[0]! });
  expect((await list()).messages).toMatchObject([
    { official: true, groups: [{ name: 'Altos' }], sent: 2, skipped: 0 },
    {
      id,
      audience: 'groups',
      groups: [
        { id: group_ids[0], name: 'Altos' },
        { id: group_ids[1], name: 'Board' },
      ],
      sent: 2,
      skipped: 1,
    },
  ]);
  expect(await post('preview-message', { ...message, group_ids: [group_ids[0]] })).toMatchObject(
    okBody({ recipients: 0, unsubscribed: 0 }),
  );
  expect(await post('create-message', { ...MESSAGE, group_ids })).toMatchObject(
    errorText(400, 'group_ids must be left out unless audience is groups, or null.'),
  );
  await server.sql`DELETE FROM groups`;
});

it('a message to members goes only to the operator as a test, which does not count', async () => {
  await join('anna');
  const test = { ...MESSAGE, audience: 'self' } as const;
  expect(await post('create-message', test)).toMatchObject(errorCode(409, 'ownEmailMissing'));
  await server.sql`UPDATE forwarding_settings SET login_email = 'nora@example.com'
      WHERE account_id = ${operator.id}`;
  await send(server, operator, 'POST /owner/account/update-messages', { messages: false });
  for (let count = 0; count < 3; count += 1) await create(test);
  await waitUntilSent();
  expect(recipients()).toEqual(Array(3).fill('nora@example.com'));
  expect(received[0]!.source).toContain(`Subject: [Test] ${MESSAGE.subject}\r\n`);
  expect(await list()).toMatchObject({ remaining: 2, messages: [{ sent: 1 }, {}, {}] });
});

it.each([
  ['a line break in the subject', { subject: 'Hi\r\nBcc: all@example.org' }, 'subjectInvalid'],
  ['an empty subject', { subject: ' ' }, 'subjectInvalid'],
  ['an empty text', { text: '\n ' }, 'textInvalid'],
  ['an unknown audience', { audience: 'board' }, 'audienceInvalid'],
])('a message to members is refused with %s', async (_what, part, code) => {
  await join('anna');
  expect(await post('create-message', { ...MESSAGE, ...part })).toMatchObject(errorCode(400, code));
  expect((await list()).messages).toEqual([]);
});

it('a message to members is refused without recipients, for all with a group address, or without an address for replies', async () => {
  expect(await post('create-message')).toMatchObject(errorCode(409, 'recipientsMissing'));
  await join('anna');
  expect(await post('create-message', { ...MESSAGE, address: 'board' })).toMatchObject(
    errorCode(400, 'addressInvalid'),
  );
  await setContact('https://club.example/contact');
  expect(await post('create-message')).toMatchObject(errorCode(409, 'replyAddressMissing'));
  expect(received).toEqual([]);
});

it('a message to members can be sent twice in 24 hours, not counting those that were stopped before any mail', async () => {
  await join('anna');
  mailServer.refusal = { code: 451, text: 'later' };
  await post('cancel-message', { message_id: await create() });
  await Promise.all([create(), create()]);
  const response = await post('create-message');
  expect(response).toMatchObject(
    errorText(
      429,
      'Some of these people got 2 messages within 24 hours. Try again in 24 hours, or write to others.',
    ),
  );
  expect(await list()).toMatchObject({ remaining: 0, sendable_at: expect.stringMatching(/^20/) });
  expect((await list()).messages).toHaveLength(3);
  await server.sql`UPDATE messages SET created_at = now() - interval '1 day'`;
  expect((await list()).sendable_at).toBeNull();
});

it('a message to the members of one group does not use up that to others', async () => {
  const [anna, karl] = [await join('anna'), await join('karl')];
  const toGroup = async (name: string, accounts: { id: string }[]) => {
    const { group } = await operator.owner.groups.createGroup({ name });
    const account_ids = accounts.map(({ id }) => id);
    await operator.owner.groups.addMembers({ group_id: group.id, account_ids });
    return { audience: 'groups' as const, group_ids: [group.id] };
  };
  const altos = await toGroup('First voices', [anna]);
  const basses = await toGroup('Second voices', [karl]);
  await create({ ...MESSAGE, ...altos });
  await create({ ...MESSAGE, ...basses });
  expect(await post('preview-message', { audience: 'all' })).toMatchObject(
    okBody({ remaining: 1, sendable_at: null }),
  );
  await create({ ...MESSAGE, ...altos });
  for (const audience of [altos, { audience: 'all' as const }]) {
    const refused = await post('create-message', { ...MESSAGE, ...audience });
    expect(refused).toMatchObject(errorCode(429, 'messageLimitReached'));
  }
  expect(await post('preview-message', basses)).toMatchObject(okBody({ remaining: 1 }));
  await create({ ...MESSAGE, ...basses });
});

it('a message to members goes to members who have unsubscribed as an official notice, which says why', async () => {
  const gone = await join('gone');
  await join('karl', 'both@example.com');
  const lena = await join('lena', 'both@example.com');
  await join('anna');
  for (const account of [gone, lena])
    await send(server, account, 'POST /owner/account/update-messages', { messages: false });
  const counts = { unsubscribed: 3, unreachable: 1 };
  expect(await post('preview-message', { audience: 'all' })).toMatchObject(
    okBody({ ...counts, recipients: 1, shared: 0 }),
  );
  const preview = await post('preview-message', { audience: 'all', official: true });
  expect(preview).toMatchObject(okBody({ ...counts, recipients: 3, shared: 1 }));
  const { text } = preview.body as { text: string };
  expect(text).toContain('It also goes to members who have unsubscribed from messages.');
  expect(text).not.toContain('Unsubscribe:');
  const id = await create(NOTICE);
  await waitUntilSent();
  expect(recipients()).toEqual(['anna@example.com', 'both@example.com', 'gone@example.com']);
  for (const { source } of received) {
    expect(source).not.toMatch(/^List-Unsubscribe/m);
    expect(source).not.toContain('/unsubscribe/');
    expect(source.replaceAll('=\r\n', '')).toContain('have unsubscribed from messages.');
  }
  expect((await list()).messages).toMatchObject([{ id, official: true, sent: 3, skipped: 1 }]);
  expect(await subscriptionOf(gone)).toBe(false);
  const [audit] = await server.sql<object>`SELECT detail FROM audit_log
      ORDER BY created_at DESC LIMIT 1`;
  expect(audit).toMatchObject({ detail: { message: id, official: true, recipients: 3 } });
  await create();
  await waitUntilSent();
  expect(recipients()).toEqual([
    ...['anna@example.com', 'anna@example.com', 'both@example.com', 'gone@example.com'],
  ]);
});

it('a message to members can be an official notice once in 14 days, and the test of one does not count', async () => {
  await join('anna');
  await server.sql`UPDATE forwarding_settings SET login_email = 'nora@example.com'
      WHERE account_id = ${operator.id}`;
  await create({ ...NOTICE, audience: 'self' });
  mailServer.refusal = { code: 451, text: 'later' };
  await post('cancel-message', { message_id: await create(NOTICE) });
  expect((await list()).notice_sendable_at).toBeNull();
  const responses = await Promise.all([1, 2].map(() => post('create-message', NOTICE)));
  mailServer.refusal = undefined;
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  const [{ at } = { at: 0 }] = await server.sql<{ at: number }>`
      SELECT extract(epoch FROM max(created_at) + interval '14 days')::int AS at FROM messages`;
  const { notice_sendable_at, remaining } = await list();
  expect(remaining).toBe(1);
  expect(Math.abs(Date.parse(notice_sendable_at!) / 1_000 - at)).toBeLessThan(2);
  const day = new Date(notice_sendable_at!).toLocaleDateString('en-GB', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  const refused = await post('create-message', NOTICE);
  expect(refused).toMatchObject(
    errorText(
      429,
      expect.stringMatching(
        `^Only one official notice can be sent to the same people in 14 days. The next can be sent on ${day} at .* UTC. To correct the last one, send`,
      ),
    ),
  );
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(13 * 86_400);
  // A mail that was never tried within two days is skipped, and its notice would not count.
  await waitUntilNoMailIsDue(server.db);
  await server.sql`UPDATE messages SET created_at = now() - interval '13 days 23 hours'`;
  expect(await post('create-message', NOTICE)).toMatchObject(errorCode(429, 'noticeLimitReached'));
  await create();
  await server.sql`UPDATE messages SET created_at = now() - interval '14 days'`;
  await create(NOTICE);
  await waitUntilSent();
});

it('an official notice to some members counts only for them, and not for one to all', async () => {
  const [anna, karl] = [await join('anna'), await join('karl')];
  const group = async (name: string, ...members: { id: string }[]) => {
    const { group: created } = await operator.owner.groups.createGroup({ name });
    const account_ids = members.map(({ id }) => id);
    await operator.owner.groups.addMembers({ group_id: created.id, account_ids });
    return { ...NOTICE, audience: 'groups' as const, group_ids: [created.id] };
  };
  const [altos, basses] = [await group('Altos', anna), await group('Basses', karl)];
  const board = await group('Board', anna, karl);
  const preview = async (draft: object) => {
    const { audience, group_ids } = draft as typeof altos;
    return operator.owner.messages.previewMessage({ audience, group_ids });
  };
  await create(altos);
  expect(await post('create-message', board)).toMatchObject(errorCode(429, 'noticeLimitReached'));
  expect((await preview(board)).notice_sendable_at).not.toBeNull();
  expect((await preview(basses)).notice_sendable_at).toBeNull();
  expect((await list()).notice_sendable_at).toBeNull();
  await create(NOTICE);
  expect((await list()).notice_sendable_at).not.toBeNull();
  // Not two days, after which a mail that was never tried is skipped, and its notice does not count.
  await server.sql`UPDATE messages SET created_at = now() - interval '1 day'`;
  expect(await post('create-message', NOTICE)).toMatchObject(errorCode(429, 'noticeLimitReached'));
  await create(basses);
  await waitUntilSent();
  await server.sql`DELETE FROM groups`;
});

it('an official notice counts for all members who share a mailbox that got it', async () => {
  const members = [await join('anna', 'both@example.com'), await join('karl', 'Both@Example.com')];
  const notices = [];
  for (const account_ids of [...members.map(({ id }) => [id]), members.map(({ id }) => id)]) {
    const { group } = await operator.owner.groups.createGroup({
      name: `${account_ids.length} of ${account_ids[0]}`,
    });
    await operator.owner.groups.addMembers({ group_id: group.id, account_ids });
    notices.push({ ...NOTICE, audience: 'groups' as const, group_ids: [group.id] });
  }
  const [toAnna, toKarl, toBoth] = notices;
  mailServer.refusal = { code: 451, text: 'later' };
  await post('cancel-message', { message_id: await create(toBoth) });
  await create(toAnna);
  mailServer.refusal = undefined;
  expect(await post('create-message', toKarl)).toMatchObject(errorCode(429, 'noticeLimitReached'));
  await waitUntilSent();
  await server.sql`DELETE FROM groups`;
});

it.each([
  ['member-message', MESSAGE],
  ['official-notice', NOTICE],
])(
  'a message to members is sent once if a job (%s) runs again, as after a crash',
  async (kind, message) => {
    await join('anna');
    await create(message);
    await waitForMails(1);
    const [recipient] = await server.sql<{ id: string }>`SELECT id FROM message_recipients`;
    await server.jobs.add(...[server.db as never, mailJob], {
      kind,
      recipientId: recipient!.id,
      language: 'en',
    });
    await waitUntilSent();
    expect(received).toHaveLength(1);
  },
);

it('a message to members goes to the present address, and not to members who have unsubscribed or left since', async () => {
  const [anna, ben, cleo] = [await join('anna'), await join('ben'), await join('cleo')];
  const dora = await join('dora');
  mailServer.refusal = { code: 451, text: 'later' };
  const id = await create();
  // All were refused, so none is on its way.
  await eventually(
    () => listRecipients(id),
    ({ recipients: rows }) => rows.filter(({ error }) => error !== null).length === 4,
  );
  await server.sql`UPDATE forwarding_settings SET login_email = 'new@example.com'
      WHERE account_id = ${anna.id}`;
  await server.sql`UPDATE message_recipients SET error = NULL`;
  await send(server, ben, 'POST /owner/account/update-messages', { messages: false });
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${cleo.id}`;
  await server.sql`DELETE FROM display_names WHERE account_id = ${dora.id}`;
  await server.sql`DELETE FROM accounts WHERE id = ${dora.id}`;
  mailServer.refusal = undefined;
  await waitUntilSent();
  expect(recipients()).toEqual(['new@example.com']);
  // The operator has no address.
  expect((await list()).messages).toMatchObject([{ id, sent: 1, waiting: 0, skipped: 4 }]);
  await server.sql`DELETE FROM display_names WHERE account_id = ${anna.id}`;
  await server.sql`DELETE FROM accounts WHERE id = ${anna.id}`;
  expect((await list()).messages).toMatchObject([{ id, sent: 1, waiting: 0, skipped: 4 }]);
});

it('a message to members shows which mails failed and which are tried again, and stops those', async () => {
  const { id } = await join('anna');
  await server.sql`INSERT INTO sites (account_id, display_name) VALUES (${id}, 'Anna Voss')`;
  mailServer.refusal = { code: 550, text: 'unknown' };
  const first = await create();
  await waitUntilSent();
  expect((await list()).messages).toMatchObject([
    { id: first, text: MESSAGE.text, failed: 1, sent: 0 },
  ]);
  const { recipients: rows, next } = await listRecipients(first, { limit: 1 });
  expect(rows).toMatchObject([
    {
      display_name: 'anna',
      page_title: 'Anna Voss',
      state: 'failed',
      error: 'EENVELOPE 550',
    },
  ]);
  expect((await listRecipients(first, { after: next! })).recipients).toMatchObject([
    { display_name: 'secretary', error: null },
  ]);
  mailServer.refusal = { code: 451, text: 'later' };
  const second = await create();
  await eventually(
    () => listRecipients(second),
    ({ recipients: [row] }) => row!.error !== null,
  );
  expect((await list()).messages[0]).toMatchObject({ id: second, waiting: 1, failed: 0 });
  expect(await post('cancel-message', { message_id: second })).toMatchObject(
    okBody({ message: { id: second, waiting: 0, skipped: 2 } }),
  );
  mailServer.refusal = undefined;
  await waitUntilSent();
  expect(received).toEqual([]);
});

it('a message to members has failed for members whose mail server did not take it within two days', async () => {
  await join('anna');
  mailServer.refusal = { code: 451, text: 'later' };
  await create();
  await eventually(
    () => server.sql`SELECT FROM message_recipients WHERE error IS NOT NULL`,
    ({ length }) => length === 1,
  );
  await server.sql`UPDATE messages SET created_at = now() - interval '49 hours'`;
  expect((await list()).messages).toMatchObject([{ waiting: 0, failed: 1 }]);
  mailServer.refusal = undefined;
  await waitUntilSent();
  expect(received).toEqual([]);
  expect((await list()).messages).toMatchObject([{ waiting: 0, failed: 1 }]);
});

it('a message to members starts with ten mails, and continues with 30 a minute', async () => {
  for (let number = 10; number < 22; number += 1) await join(`member-${number}`);
  await create();
  await waitForMails(10);
  const waiting = await server.sql<{ seconds: number }>`
      SELECT extract(epoch FROM start_after - created_on)::int AS seconds FROM pgboss.job
      WHERE name = 'mail' AND start_after > now()`;
  expect(waiting).toEqual([{ seconds: 20 }, { seconds: 20 }]);
  await server.sql`DELETE FROM pgboss.job WHERE name = 'mail'`;
});

it('a message to members can be for members without a page, not seen for six months, or who read a group address', async () => {
  await join('new-here');
  const account = await join('with-page');
  await account.client.site.toggleSiteVisibility();
  // The server stores the use of a key later.
  await server.sql`UPDATE api_keys SET last_used_at = now() WHERE account_id = ${account.id}`;
  const away = await join('away');
  await server.sql`UPDATE accounts SET created_at = now() - interval '1 year'
      WHERE id IN (${away.id}, ${account.id})`;
  await server.sql`UPDATE accounts SET last_seen_at = now() - interval '7 months'
      WHERE id = ${away.id}`;
  await server.sql`DELETE FROM api_keys WHERE account_id = ${away.id}`;
  const count = async (audience: string) =>
    ((await post('preview-message', { audience })).body as { recipients: number }).recipients;
  expect([await count('all'), await count('no_page'), await count('unseen')]).toEqual([3, 2, 1]);
  const outsider = { email: 'trainer@outside.org' };
  const board = { name: 'board', recipients: [{ account_id: away.id }, outsider] };
  await send(server, operator, 'POST /owner/addresses/create-address', board);
  await server.sql`UPDATE address_recipients SET confirmed_at = now() WHERE email IS NOT NULL`;
  const readers = { audience: 'address', address: 'board' } as const;
  expect(await post('preview-message', readers)).toMatchObject(
    okBody({ recipients: 1, outside: 1 }),
  );
  expect(await listRecipients(await create({ ...MESSAGE, ...readers }))).toMatchObject({
    recipients: [{ display_name: 'away' }, { ...outsider, state: 'outside' }],
  });
  await waitForMails(1);
  for (const address of ['nobody', undefined])
    expect(await post('create-message', { ...MESSAGE, ...readers, address })).toMatchObject(
      errorCode(409, 'recipientsMissing'),
    );
  await create({ ...MESSAGE, audience: 'unseen' });
  await waitUntilSent();
  const isMessage = ({ source }: (typeof received)[number]) =>
    source.includes(`Subject: ${MESSAGE.subject}`);
  expect(received.filter(isMessage).flatMap(({ to }) => to)).toEqual([
    'away@example.com',
    'away@example.com',
  ]);
});

it('the link to unsubscribe changes nothing when opened, and unsubscribes the mailbox by a POST without cookies', async () => {
  const [karl, lena] = [await join('karl', 'us@example.com'), await join('lena', 'us@example.com')];
  await create();
  const [mail] = await waitForMails(1);
  const url = unsubscribePath(mail!.source);
  for (const method of ['GET', 'HEAD'] as const)
    expect((await server.app.inject({ method, url })).statusCode).toBe(200);
  expect(await subscriptionOf(karl)).toBe(true);
  const response = await server.app.inject({
    method: 'POST',
    url,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([response.statusCode, response.payload]).toEqual([
    200,
    expect.stringContaining('This is for @karl and @lena.'),
  ]);
  // An account that gets the mailbox later has unsubscribed, too.
  const mia = await join('mia', 'Us@example.com');
  for (const member of [karl, lena, mia]) expect(await subscriptionOf(member)).toBe(false);
  expect(await post('create-message')).toMatchObject(errorCode(409, 'recipientsMissing'));
  const undo = await server.app.inject({ method: 'POST', url: `${url}/undo` });
  expect([undo.statusCode, undo.payload]).toEqual([200, expect.stringContaining('again')]);
  for (const member of [karl, lena, mia]) expect(await subscriptionOf(member)).toBe(true);
  await create();
  const [, again] = await waitForMails(2);
  expect(again!.to).toEqual(['us@example.com']);
});

it.each(['x', '00000000-0000-4000-8000-000000000000'])(
  'the link to unsubscribe of no account (%s) is invalid',
  async (token) => {
    const headers = { accept: 'application/json' };
    const path = `/unsubscribe/${token}`;
    for (const request of [
      { method: 'GET', path },
      { method: 'POST', path: `${path}/undo` },
    ])
      expect(await call(server.app, { ...request, headers })).toMatchObject(
        errorCode(404, 'linkInvalid'),
      );
  },
);
