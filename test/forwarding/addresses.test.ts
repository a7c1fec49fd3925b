import { beforeEach, expect, it } from 'vitest';
import { LIMITS } from '#contract/shared/limits.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { countAddresses } from '#db/queries/addresses.ts';
import { closeAccount } from '#server/features/accounts/delete-account.ts';
import { followGroup } from '#server/features/addresses/change-recipients.ts';
import { call, send } from '../support/call.ts';
import { createOperator, makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode } from '../support/expected-responses.ts';
import { finishDeletions } from '../support/run-jobs.ts';
import { logIn } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';
import type { TestAccount } from '../support/test-app.ts';
import { startForwardingApp } from './forwarding-app.ts';
import { waitUntilMailsSent } from './mail-server.ts';
import { providerFixtures } from './provider-fixtures.ts';
import { PUBLIC_URL, useForwarding } from './use-forwarding.ts';

const { server, fake, mailServer } = await useForwarding();
const operator = await createOperator(server, 'nora');
const { addresses } = operator.owner;

let counter = 0;
let name: string;
beforeEach(() => {
  counter += 1;
  name = `board-${counter}`;
});

/** Creates a member with a confirmed address and without forwarding. */
async function createMember(member: string, email: string | null = `${member}@example.com`) {
  const account = await server.createNamedAccount(member);
  await server.sql`UPDATE forwarding_settings SET login_email = ${email}, forwarding_email = ${email},
    forwarding_confirmed = ${email === null ? null : true} WHERE account_id = ${account.id}`;
  return account;
}

const setOperatorAddress = (email: string | null) =>
  server.sql`UPDATE forwarding_settings SET login_email = ${email} WHERE account_id = ${operator.id}`;

async function createGroup(...recipients: { account_id?: string; email?: string }[]) {
  return (await addresses.createAddress({ name, recipients })).address;
}

const providerOf = async (group = name) => {
  await server.waitUntilSynced();
  return fake.aliases.get(group);
};

async function visit(path: string, method: 'GET' | 'POST' = 'POST') {
  const { statusCode, payload } = await server.app.inject({ method, url: path });
  return { status: statusCode, title: /<title>(.*)<\/title>/.exec(payload)?.[1], html: payload };
}

async function waitForLink(email: string): Promise<string> {
  const [mail] = (await mailServer.waitForMails(1, email)).slice(-1);
  return /https:\S+(\/confirm\/[\w-]{43})\b/.exec(mail!.source)![1]!;
}

const post = (operation: string, json: unknown) =>
  send(server, operator, `POST /owner/addresses/${operation}`, json);

it('a group address reaches members at once and outside addresses after a confirmation, which the same link ends', async () => {
  const [anna, carl] = [await createMember('anna'), await createMember('carl')];
  const group = await createGroup(
    { account_id: anna.id },
    // An address of this server stands for its member.
    { email: 'Carl@nameplate.example' },
    { email: 'Harbor@town.example.org' },
  );
  expect(group).toMatchObject({ name, email: `${name}@nameplate.example` });
  expect(group.recipients).toMatchObject([
    { account_id: anna.id, display_name: 'anna', email: 'anna@example.com', state: 'active' },
    { account_id: carl.id, display_name: 'carl', email: 'carl@example.com', state: 'active' },
    { account_id: null, display_name: null, email: 'Harbor@town.example.org', state: 'waiting' },
  ]);
  expect(await providerOf()).toBe('anna@example.com,carl@example.com');
  const link = await waitForLink('Harbor@town.example.org');
  const [{ source } = {}] = mailServer.mailsTo('Harbor@town.example.org');
  expect(source).toContain(`Subject: Mail to ${name}@nameplate.example for you?`);
  const email = `${name}@nameplate.example`;
  expect(await visit(link, 'GET')).toMatchObject({
    status: 200,
    title: `Do you want the mail to ${email}?`,
  });
  expect(await providerOf()).toBe('anna@example.com,carl@example.com');
  const all = 'anna@example.com,carl@example.com,harbor@town.example.org';
  for (const [path, title, aliases] of [
    [link, `You get the mail to ${email}`, all],
    [link, `You get the mail to ${email}`, all],
    [`${link}/end`, `You do not get the mail to ${email}`, 'anna@example.com,carl@example.com'],
    [link, `You get the mail to ${email}`, all],
  ] as const) {
    expect(await visit(path)).toMatchObject({ status: 200, title });
    expect(await visit(link, 'GET')).toMatchObject({ status: 200, title });
    expect(await providerOf()).toBe(aliases);
  }
  const readers = [
    { display_name: 'carl', email: null },
    { display_name: null, email: 'Harbor@town.example.org' },
  ];
  expect(await anna.owner.forwarding.getForwarding()).toMatchObject({
    group_addresses: [{ id: group.id, email, state: 'active', readers }],
  });
  await visit(`${link}/end`);
  const { address } = await addresses.getAddress({ address_id: group.id });
  expect(address.recipients[2]).toMatchObject({ state: 'stopped' });
  await addresses.updateAddress({ address_id: group.id, recipients: [{ account_id: anna.id }] });
  expect(await visit(link)).toMatchObject({ status: 404 });

  const { events } = await carl.owner.events.listEvents({ type: 'mail' });
  expect(events.map(({ summary }) => summary)).toEqual([
    `${name}@nameplate.example no longer reaches you by the operator of this server`,
    `${name}@nameplate.example now reaches you by the operator of this server`,
  ]);
  const { entries } = await operator.owner.server.listAuditEntries({});
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'addresses.updateAddress', name, detail: { recipients: 1 } },
    { action: 'addresses.createAddress', name, detail: { recipients: 3 } },
  ]);
});

it('a group address tells members by mail, who leave it and come back by themselves', async () => {
  const member = await createMember('leaver');
  const { forwarding } = member.owner;
  const group = await createGroup({ account_id: member.id });
  const change = (enabled: boolean) =>
    forwarding.updateGroupAddress({ address_id: group.id, enabled });
  for (const [enabled, state, alias] of [
    [false, 'stopped', undefined],
    [true, 'active', 'leaver@example.com'],
  ] as const) {
    expect((await change(enabled)).group_address).toMatchObject({ id: group.id, state });
    expect(await providerOf()).toBe(alias);
    const { address } = await addresses.getAddress({ address_id: group.id });
    expect(address.recipients).toMatchObject([{ display_name: 'leaver', state }]);
  }
  await addresses.deleteAddress({ address_id: group.id });
  const mails = await mailServer.waitForMails(2, 'leaver@example.com');
  expect(mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])).toEqual([
    `You now get the mail to ${name}@nameplate.example`,
    `${name}@nameplate.example no longer exists`,
  ]);
  const path = 'POST /owner/forwarding/update-group-address';
  expect(await send(server, member, path, { address_id: group.id, enabled: true })).toMatchObject(
    errorCode(404, 'addressNotFound'),
  );
});

it('a mail about a group address that a kept account reads names no address of a keeper', async () => {
  const [club, owner] = [await createMember('kept-club'), await createMember('kept-owner')];
  await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${club.id}, ${owner.id}, true)`;
  const { id: address_id, email } = await createGroup(
    { account_id: club.id },
    { account_id: (await createMember('kept-other')).id },
  );
  // Mails of two requests may arrive in another order.
  await mailServer.waitForMails(1, 'kept-owner@example.com');
  await addresses.updateAddress({ address_id, recipients: [] });
  const mails = await mailServer.waitForMails(2, 'kept-owner@example.com');
  for (const [index, subject, text] of [
    [0, `@kept-club now gets the mail to ${email}`, 'added @kept-club.'],
    [1, `@kept-club no longer gets the mail to ${email}`, 'ended it for @kept-club.'],
  ] as const) {
    const source = mails[index]!.source.replaceAll(/=\r\n/g, '');
    expect(source).toContain(`Subject: ${subject}`);
    expect(source).toContain(text);
    expect(source).not.toContain('goes to');
  }
});

it('a group address is a warning of the setup without a reader, unless the first has yet to confirm', async () => {
  for (const { id } of (await addresses.listAddresses()).addresses)
    await addresses.deleteAddress({ address_id: id });
  const session = await logIn(server, operator.id);
  const readServer = async (language: string) => {
    const headers = { ...session, 'accept-language': language };
    return (await call(server.app, { path: '/owner/server/get-server', headers })).text;
  };
  const [deleted, suspended, stopped] = [
    await createMember(`deleted-${counter}`),
    await createMember(`suspended-${counter}`),
    await createMember(`stopped-${counter}`),
  ];
  const outside = { email: 'new@clubs.example.org' };
  await addresses.createAddress({ name: `new-${name}`, recipients: [outside] });
  const chair = { name: `chair-${name}`, recipients: [{ account_id: suspended.id }, outside] };
  await addresses.createAddress(chair);
  const { id: address_id } = await createGroup(
    { account_id: deleted.id },
    { account_id: stopped.id },
  );
  await inTransaction(server.db, (trx) => closeAccount(trx, server.nameplate, deleted.id));
  const { address } = await addresses.getAddress({ address_id });
  expect(address.recipients).toMatchObject([
    { account_id: null, email: null, state: 'left' },
    { account_id: stopped.id, state: 'active' },
  ]);
  expect(await readServer('en')).not.toContain('groupAddressUnread');
  const readFailing = async () => (await operator.owner.sessions.getSession()).server_failing;
  expect(await readFailing()).toBeNull();
  await stopped.owner.forwarding.updateGroupAddress({ address_id, enabled: false });
  expect(await readFailing()).toBe('addresses');
  await setSuspended(server, suspended.id);
  const [own, other] = [`${name}@nameplate.example`, `chair-${name}@nameplate.example`];
  expect(await readServer('en')).toContain(`Nobody gets the mail to ${own} and ${other}.`);
  expect(await readServer('de')).toContain(`Niemand bekommt die Mail an ${own} und ${other}.`);
  await addresses.createAddress({ name: `empty-${name}`, recipients: [] });
  expect(await readServer('en')).toContain(`empty-${own}`);
});

it('a group address tells operators by mail who left, ended it or was deleted, and who was the last', async () => {
  await setOperatorAddress('nora@example.com');
  const [leaver, gone] = [await createMember(`leaver-${counter}`), await createMember('gone')];
  const outside = { email: 'pia@clubs.example.org' };
  const group = await createGroup({ account_id: leaver.id }, { account_id: gone.id }, outside);
  await visit(await waitForLink(outside.email));
  await makeOperator(server, gone);
  const leave = { address_id: group.id, enabled: false };
  const steps: [() => Promise<unknown>, string][] = [
    [() => leaver.owner.forwarding.updateGroupAddress(leave), `@leaver-${counter} left.`],
    [async () => visit(`${await waitForLink(outside.email)}/end`), 'pia@clubs.example.org left.'],
    [
      () => inTransaction(server.db, (trx) => closeAccount(trx, server.nameplate, gone.id)),
      'The account of @gone was deleted.',
    ],
  ];
  for (const [index, [change, sentence]] of steps.entries()) {
    await change();
    const mails = await mailServer.waitForMails(index + 1, 'nora@example.com');
    expect(mails.at(-1)!.source).toContain(sentence);
    const subject = `Subject: Nobody gets the mail to ${name}@nameplate.example`;
    expect(mails.at(-1)!.source.includes(subject)).toBe(index === 2);
  }
  // These change nothing.
  await visit(`${await waitForLink(outside.email)}/end`);
  await inTransaction(server.db, (trx) => closeAccount(trx, server.nameplate, leaver.id));
  await waitUntilMailsSent(server.db);
  expect(mailServer.mailsTo('nora@example.com')).toHaveLength(3);
  const { address } = await addresses.getAddress({ address_id: group.id });
  expect(address.recipients.map(({ state }) => state)).toEqual(['left', 'left', 'stopped']);
  // Two about the group, and the last one about the own account
  const own = mailServer
    .mailsTo('gone@example.com')
    .map(({ source }) => source)
    .join('');
  expect(own).toContain('@leaver-');
  expect(own).toContain('Subject: Your account @gone was deleted');
  expect(own).not.toContain('The account of @gone');
  await setOperatorAddress(null);
});

it('a group address mails nobody about a removal after the reader left', async () => {
  const [stays, gone] = [await createMember(`stays-${counter}`), await createMember('gone-2')];
  const { id: address_id } = await createGroup({ account_id: stays.id }, { account_id: gone.id });
  await gone.owner.forwarding.updateGroupAddress({ address_id, enabled: false });
  await providerOf();
  const recipients = [{ account_id: stays.id }];
  const { address } = await addresses.updateAddress({ address_id, recipients });
  expect(address).toMatchObject({ recipients: [{ state: 'active' }] });
  await waitUntilMailsSent(server.db);
  expect(mailServer.mailsTo('gone-2@example.com')).toHaveLength(1);
  const { events } = await gone.owner.events.listEvents({ type: 'mail' });
  expect(events).toHaveLength(2);
});

it('a group address says whose mail was refused, and asks the corrected address', async () => {
  mailServer.refusal = { code: 550, text: 'no such user' };
  const { id: address_id, recipients } = await createGroup({ email: 'typo@clubs.example.org' });
  const read = async () => (await addresses.getAddress({ address_id })).address.recipients;
  await eventually(read, ([recipient]) => recipient!.state === 'failed');
  mailServer.refusal = undefined;
  await addresses.sendConfirmation({ recipient_id: recipients[0]!.id });
  await waitForLink('typo@clubs.example.org');
  expect(await read()).toMatchObject([{ state: 'waiting' }]);
  const corrected = [{ email: 'right@clubs.example.org' }];
  await addresses.updateAddress({ address_id, recipients: corrected });
  await visit(await waitForLink('right@clubs.example.org'));
  expect(await read()).toMatchObject([{ state: 'active' }]);
});

it('a group address asks an outside address again, and keeps the state of those that stay', async () => {
  const group = await createGroup({ email: 'a@clubs.example.org' });
  const first = await waitForLink('a@clubs.example.org');
  const [recipient] = group.recipients;
  await addresses.sendConfirmation({ recipient_id: recipient!.id });
  await mailServer.waitForMails(2);
  expect(await visit(first)).toMatchObject({ status: 404 });
  await visit(await waitForLink('a@clubs.example.org'));
  const recipients = [{ email: 'A@Clubs.example.org' }, { email: 'b@clubs.example.org' }];
  const { address } = await addresses.updateAddress({ address_id: group.id, recipients });
  expect(address.recipients).toMatchObject([{ state: 'active' }, { state: 'waiting' }]);
  expect(await post('send-confirmation', { recipient_id: recipient!.id })).toMatchObject(
    errorCode(404, 'recipientNotFound'),
  );
});

it.each<[string, (member: { id: string }, person: string) => unknown, string | undefined]>([
  ['is suspended', (_, person) => setSuspended(server, person), undefined],
  [
    'is suspended and resumed',
    async (_, person) => {
      await setSuspended(server, person);
      expect(await providerOf()).toBeUndefined();
      await setSuspended(server, person, false);
    },
    'own',
  ],
  [
    'is deleted',
    async ({ id }) => {
      await inTransaction(server.db, (trx) => closeAccount(trx, server.nameplate, id));
      await finishDeletions(server.database);
    },
    undefined,
  ],
  ['was renamed', ({ id }, person) => rename(id, `${person}-new`), 'own'],
])('a group address follows a member who %s', async (_title, change, expected) => {
  const person = `person-${counter}`;
  const member = await createMember(person);
  const group = await createGroup({ account_id: member.id });
  expect(await providerOf()).toBe(`${person}@example.com`);
  await change(member, person);
  expect(await providerOf()).toBe(expected && `${person}@example.com`);
  await addresses.deleteAddress({ address_id: group.id });
});

it.each<[string, (member: TestAccount, name: string) => Promise<unknown>]>([
  [
    'its account is being deleted',
    ({ id }) => inTransaction(server.db, (trx) => closeAccount(trx, server.nameplate, id)),
  ],
  [
    'it was set again',
    ({ client }, own) => client.account.updateDisplayName({ display_name: own }),
  ],
])('a name gets no mail as soon as %s', async (_title, change) => {
  const own = `ends-${counter}`;
  const member = await createMember(own);
  await member.client.emailForwarding.emailForwardingToggle({ enabled: true });
  expect(await providerOf(own)).toBe(`${own}@example.com`);
  await change(member, own);
  expect(await providerOf(own)).toBeUndefined();
});

const rename = (account_id: string, display_name: string) =>
  operator.owner.members.updateMemberName({ account_id, display_name });

it('a group address follows a changed address once it is confirmed, whether or not the member forwards mail', async () => {
  const member = await createMember('mover', null);
  const group = await createGroup({ account_id: member.id });
  expect(group.recipients).toMatchObject([{ state: 'unreachable', email: null }]);
  for (const [index, email] of ['one@example.com', 'two@example.com'].entries()) {
    const former = ['', 'one@example.com'][index] || undefined;
    await member.client.emailForwarding.emailForwardingToggle({ enabled: false, email });
    const link = await waitForLink(email);
    expect(await providerOf()).toBe(former);
    await visit(link);
    expect(await providerOf()).toBe(email);
  }
});

it('a group address sends one mailbox of two members one mail', async () => {
  const [a, b] = [
    await createMember('twin-a', 'Twins@example.com'),
    await createMember('twin-b', 'twins@example.com'),
  ];
  await createGroup({ account_id: a.id }, { account_id: b.id });
  expect(await providerOf()).toBe('twins@example.com');
});

it('a group address reaches everybody after provider and server failed in the middle', async () => {
  const member = await createMember(`late-${counter}`);
  fake.faultFor = () => ({ kind: 'disconnect' });
  const stopped = await startForwardingApp({
    fake,
    url: server.database.url,
    processesJobs: false,
    settings: { SMTP_URL: mailServer.url, PUBLIC_URL },
  });
  const recipients = [{ account_id: member.id }, { email: 'late@clubs.example.org' }];
  await send(stopped, operator, 'POST /owner/addresses/create-address', { name, recipients });
  await stopped.close();
  // As a server does when it starts.
  await server.forwarding.addMissingJobs();
  await visit(await waitForLink('late@clubs.example.org'));
  await eventually(
    () => addresses.listAddresses(),
    (list) => list.addresses.some((item) => item.name === name && item.last_error !== null),
  );
  fake.faultFor = () => undefined;
  expect(await providerOf()).toBe(`late-${counter}@example.com,late@clubs.example.org`);
});

it('a group address is compared with the provider, in any order', async () => {
  const [a, b] = [await createMember('drift-a'), await createMember('drift-b')];
  await createGroup({ account_id: a.id }, { account_id: b.id });
  const alias = await providerOf();
  fake.aliases.set(name, alias!.split(',').toReversed().join(', '));
  expect((await server.forwarding.sync({})).repaired).not.toContain(name);
  fake.aliases.set(name, 'drift-a@example.com');
  const report = await server.forwarding.sync({});
  expect(report).toMatchObject({ repaired: [name], unknown: [] });
  expect(fake.aliases.get(name)).toBe(alias);
});

it('the name of a group address is one namespace with display names, and stays held back for the club', async () => {
  const member = await createMember(`taken-${counter}`);
  const claim = () => server.rename(member, name);
  const group = await createGroup({ account_id: member.id });
  expect((await claim()).status).toBe(409);
  await addresses.deleteAddress({ address_id: group.id });
  expect(await providerOf()).toBeUndefined();
  expect((await claim()).status).toBe(409);
  const again = await createGroup({ account_id: member.id });
  expect(await providerOf()).toBe(`taken-${counter}@example.com`);
  await addresses.deleteAddress({ address_id: again.id });
  await providerOf();
  await operator.owner.members.deleteHeldName({ display_name: name });
  expect((await claim()).status).toBe(200);
  expect(await post('create-address', { name, recipients: [] })).toMatchObject(
    errorCode(409, 'addressNameTaken'),
  );
});

it('the name of a group address changes with the address, which its readers learn by mail', async () => {
  const [member, former] = [await createMember(`renamed-${counter}`), await createMember('left')];
  const [outside, waiting] = [
    { email: 'gina@clubs.example.org' },
    { email: 'w@clubs.example.org' },
  ];
  const readers = [{ account_id: member.id }, outside, waiting];
  const { id: address_id } = await createGroup(...readers, { account_id: former.id });
  const link = await waitForLink(outside.email);
  await visit(link);
  await mailServer.waitForMails(1, 'left@example.com');
  const change = { address_id, name: `New-${name}`, recipients: readers };
  const { address } = await addresses.updateAddress(change);
  expect(address).toMatchObject({
    name: `new-${name}`,
    recipients: [{ state: 'active' }, {}, {}],
  });
  const [from, to] = [`${name}@nameplate.example`, `new-${name}@nameplate.example`];
  for (const [email, subject] of [
    [`renamed-${counter}@example.com`, `${from} is now ${to}`],
    [outside.email, `${from} is now ${to}`],
    ['left@example.com', `You no longer get the mail to ${from}`],
  ] as const) {
    const [, mail] = await mailServer.waitForMails(2, email);
    expect(mail!.source).toContain(`Subject: ${subject}`);
  }
  expect(await visit(link, 'GET')).toMatchObject({ status: 404 });
  const newLink = await waitForLink(outside.email);
  expect(await visit(newLink, 'GET')).toMatchObject({ title: `You get the mail to ${to}` });
  expect(mailServer.mailsTo(waiting.email)).toHaveLength(1);
  expect(await providerOf(`new-${name}`)).toBe(`${outside.email},renamed-${counter}@example.com`);
  expect(await providerOf()).toBeUndefined();
  expect((await server.rename(member, name)).status).toBe(409);
  const { entries } = await operator.owner.server.listAuditEntries({});
  expect(entries[0]).toMatchObject({ name: `new-${name}`, detail: { from: name } });
  await addresses.updateAddress({ address_id, recipients: [{ account_id: member.id }] });
  const removal = (await mailServer.waitForMails(3, outside.email)).at(-1)!;
  expect(removal.source).toContain(`Subject: You no longer get the mail to ${to}`);
  expect(mailServer.mailsTo(waiting.email)).toHaveLength(1);
});

it('the name of a group address says who has it', async () => {
  const member = await createMember(`member-${counter}`);
  await member.client.site.toggleSiteVisibility();
  await createGroup();
  await server.rename(member, `now-${counter}`);
  for (const [other, error] of [
    [name, `The address ${name}@nameplate.example exists already. Change that one.`],
    [`now-${counter}`, `@now-${counter} is a member. Choose another name.`],
    [
      `member-${counter}`,
      `The name member-${counter} is held back after its last owner. Choose another one.`,
    ],
  ])
    expect(await post('create-address', { name: other, recipients: [] })).toMatchObject({
      ...errorCode(409, 'addressNameTaken'),
      body: { error },
    });
});

it('the name of a group address may be a reserved one', async () => {
  const { address } = await addresses.createAddress({ name: ' Info ', recipients: [] });
  expect(address).toMatchObject({ name: 'info', recipients: [] });
});

it.each<[string, object, number, string]>([
  ['a short name', { name: 'a!' }, 400, 'addressNameInvalid'],
  ['an id of the provider', { name: 'a'.repeat(24) }, 400, 'addressNameInvalid'],
  [
    'an unknown member',
    { recipients: [{ account_id: crypto.randomUUID() }] },
    404,
    'memberNotFound',
  ],
  ['itself', { recipients: [{ email: 'self@nameplate.example' }] }, 400, 'recipientLoop'],
  ['a subdomain', { recipients: [{ email: 'a@b.nameplate.example' }] }, 400, 'emailDomainRefused'],
  ['a domain without mail', { recipients: [{ email: 'a@b.internal' }] }, 400, 'emailDomainRefused'],
  ['no recipient', { recipients: [{}] }, 400, 'validationFailed'],
  ['too many', { recipients: Array(51).fill({ email: 'a@b.org' }) }, 400, 'recipientsInvalid'],
])('a group address with %s is refused', async (_title, part, status, code) => {
  const body = { name: 'self', recipients: [], ...part };
  expect(await post('create-address', body)).toMatchObject(errorCode(status, code));
  const rows = await server.sql`SELECT FROM addresses WHERE name = 'self'`;
  expect(rows).toEqual([]);
});

it('two group addresses that are created at the same time do not exceed the limit', async () => {
  const count = await countAddresses(server.db);
  const fill = `fill-${counter}-`;
  const missing = LIMITS.addresses - 1 - count;
  await server.sql`WITH names AS (
      INSERT INTO display_names (name, is_address)
      SELECT ${fill} || i, true FROM generate_series(1, ${missing}) AS i RETURNING name
    ), filled AS (INSERT INTO addresses (name) SELECT name FROM names RETURNING id)
    INSERT INTO address_recipients (address_id) SELECT id FROM filled`;
  const responses = await Promise.all(
    ['a', 'b'].map((end) => post('create-address', { name: `${name}-${end}`, recipients: [] })),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await countAddresses(server.db)).toBe(LIMITS.addresses);
  // The list of what to do names ten of them.
  const { to_do } = await operator.owner.sessions.getSession();
  expect(to_do[0]?.text).toMatch(/^Nobody gets the mail to (?:\S+ ){10}and …\. /);
  await server.sql`DELETE FROM addresses WHERE name LIKE ${`${fill}%`}`;
});

it('a group address refuses a member whose account is being deleted', async () => {
  const { id: account_id } = await createMember('leaving');
  await server.sql`UPDATE accounts SET (suspended_at, closed_at) = (now(), now()) WHERE id = ${account_id}`;
  for (const recipient of [{ account_id }, { email: 'leaving@nameplate.example' }])
    expect(await post('create-address', { name: 'crew', recipients: [recipient] })).toMatchObject(
      errorCode(404, 'memberNotFound'),
    );
});

it('a group address is refused by a provider that sends an address to one inbox only', async () => {
  const { fake: cloudflare, settings, confirm } = await providerFixtures['cloudflare']!();
  const other = await startForwardingApp({ settings });
  const account = await createOperator(other, 'nora');
  await other.sql`UPDATE forwarding_settings SET login_email = 'nora@example.com'`;
  confirm('nora@example.com');
  const client = account.owner.addresses;
  const nora = { account_id: account.id };
  expect(await client.listAddresses()).toMatchObject({ recipient_limit: 1 });
  const { address } = await client.createAddress({ name: 'board', recipients: [nora] });
  await other.waitUntilSynced();
  const { length } = cloudflare.requests;
  const recipients = [nora, { email: 'x@clubs.example.org' }];
  const change = { address_id: address.id, recipients };
  expect(await send(other, account, 'POST /owner/addresses/update-address', change)).toMatchObject(
    errorCode(409, 'severalRecipientsUnavailable'),
  );
  expect(cloudflare.requests).toHaveLength(length);

  // Readers from an earlier provider stay, and nobody who joins its group is refused.
  const [olga, pete] = [await other.createAccount(), await other.createAccount()];
  const { groups } = account.owner;
  const { id: groupId } = (await groups.createGroup({ name: 'Altos' })).group;
  const { address: altos } = await client.createAddress({
    name: 'altos',
    recipients: [],
    group_id: groupId,
  });
  for (const { id } of [account, olga, pete])
    await other.sql`INSERT INTO group_members (group_id, account_id, source)
      VALUES (${groupId}, ${id}, 'hand')`;
  for (const { id } of [account, olga])
    await other.sql`INSERT INTO address_recipients (address_id, account_id, by_hand)
      VALUES (${altos.id}, ${id}, false)`;
  await inTransaction(other.db, (trx) =>
    followGroup(trx, other.nameplate, { groupId, operatorId: null }),
  );
  const { address: read } = await client.getAddress({ address_id: altos.id });
  expect(read.recipients.map(({ account_id }) => account_id)).toEqual([account.id, olga.id]);
  await other.close();
  await cloudflare.close();
});

it('the members of its group read an address, beside readers by hand, from when they join until they leave', async () => {
  const [olga, pete, quinn] = [
    await createMember('olga'),
    await createMember('pete'),
    await createMember('quinn'),
  ];
  const { groups } = operator.owner;
  const { id: group_id } = (await groups.createGroup({ name: `Altos ${counter}` })).group;
  await groups.addMembers({ group_id, account_ids: [olga.id] });
  const recipients = [{ account_id: pete.id }];
  const { address } = await addresses.createAddress({ name, recipients, group_id });
  const ways = async () => {
    const read = await addresses.getAddress({ address_id: address.id });
    return read.address.recipients.map((row) => [row.display_name, row.by_hand, row.by_group]);
  };
  expect(address).toMatchObject({ group_id });
  expect(await ways()).toEqual([
    ['pete', true, false],
    ['olga', false, true],
  ]);
  await groups.addMembers({ group_id, account_ids: [pete.id, quinn.id] });
  expect(await ways()).toEqual([
    ['pete', true, true],
    ['olga', false, true],
    ['quinn', false, true],
  ]);
  expect(await providerOf()).toBe('olga@example.com,pete@example.com,quinn@example.com');
  await groups.removeMembers({ group_id, account_ids: [pete.id, quinn.id] });
  expect(await providerOf()).toBe('olga@example.com,pete@example.com');
  const { events } = await quinn.owner.events.listEvents({ type: 'mail' });
  expect(events.map(({ summary }) => summary)).toEqual([
    `${name}@nameplate.example no longer reaches you by the operator of this server`,
    `${name}@nameplate.example now reaches you by the operator of this server`,
  ]);
  await groups.deleteGroup({ group_id });
  expect(await providerOf()).toBe('pete@example.com');
  await groups.updateGroup({ group_id, deleted: false });
  expect(await providerOf()).toBe('olga@example.com,pete@example.com');
  // Who reads it by hand is replaced, the group stays.
  await addresses.updateAddress({ address_id: address.id, recipients: [] });
  expect(await ways()).toEqual([['olga', false, true]]);
  await addresses.updateAddress({ address_id: address.id, group_id: null });
  expect(await ways()).toEqual([]);
  const unknown = { address_id: address.id, group_id: '0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77' };
  expect(await post('update-address', unknown)).toMatchObject(errorCode(404, 'groupNotFound'));
});

it('a group with an address cannot grow beyond the readers of an address', async () => {
  const { groups } = operator.owner;
  const { id: group_id } = (await groups.createGroup({ name: `Crowd ${counter}` })).group;
  const { address } = await addresses.createAddress({ name, recipients: [], group_id });
  const account_ids = (
    await server.sql<{ id: string }>`INSERT INTO accounts
      SELECT FROM generate_series(1, ${LIMITS.addressRecipients + 1}) RETURNING id`
  ).map(({ id }) => id);
  const add = (ids: readonly string[]) =>
    send(server, operator, 'POST /owner/groups/add-members', { group_id, account_ids: ids });
  expect(await add(account_ids)).toMatchObject(errorCode(409, 'readerLimitReached'));
  expect((await groups.listGroups()).groups.find(({ id }) => id === group_id)?.members).toBe(0);
  expect(await add(account_ids.slice(1))).toMatchObject({ status: 200 });
  const read = await addresses.getAddress({ address_id: address.id });
  expect(read.address.recipients).toHaveLength(LIMITS.addressRecipients);
});
