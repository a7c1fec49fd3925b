import { afterAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { setLoginEmail } from '#db/queries/sign-ups.ts';
import { expireApplications } from '#server/features/sign-up/decide.ts';
import { startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { startMailServer, waitUntilNoMailIsDue } from '../forwarding/mail-server.ts';
import { PUBLIC_URL } from '../forwarding/use-forwarding.ts';
import { call, send } from '../support/call.ts';
import { createSignUpToken, makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode, okBody } from '../support/expected-responses.ts';
import { logIn, postForm, postFromPage, sessionHeaders } from '../support/session.ts';
import { openTestApp } from '../support/test-app.ts';

let mailServer = await startMailServer();
const fake = await startFakeImprovmx();
const server = await startForwardingApp({
  fake,
  settings: { SMTP_URL: mailServer.url, PUBLIC_URL },
  registration: 'approval',
});
const operator = await server.createNamedAccount('nora');
await makeOperator(server, operator);
await inTransaction(server.db, (trx) =>
  setLoginEmail(trx, { accountId: operator.id, email: 'nora@example.com' }),
);
const session = await logIn(server, operator.id);
afterAll(async () => {
  await server.close();
  await Promise.all([fake.close(), mailServer.close()]);
});
beforeEach(async () => {
  await waitUntilNoMailIsDue(server.db);
  mailServer.received.length = 0;
});

const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  postFromPage(server, `/owner/${path}`, json, headers);

const decide = (
  operation: 'approve' | 'decline',
  account_ids: readonly string[],
  fields: object = {},
) => post(`members/${operation}-members`, { account_ids, ...fields }, session);

/** The newest mail to the address with this text, in which lines are not wrapped. */
const readMail = async (email: string, text: string) => {
  const find = () =>
    mailServer
      .mailsTo(email)
      .findLast(({ source }) => source.replace(/=\r?\n/g, '').includes(text));
  return (await eventually(find, Boolean))!.source.replace(/=\r?\n/g, '');
};

const readToken = (mail: string, screen: string) =>
  new RegExp(`dashboard/${screen}#([\\w-]{43})`).exec(mail.replaceAll('=3D', '='))![1]!;

const list = async () => (await operator.owner.members.listMembers({ state: 'waiting' })).members;

/** Asks to join, up to the mail with the link. */
async function requestLink(
  name: string,
  email = `${name}@example.com`,
  application_name?: string,
): Promise<string> {
  const json = { display_name: name, email, application_text: `I am ${name}`, application_name };
  expect(await post('account/create-registration', json)).toMatchObject(okBody({ success: true }));
  return readToken(await readMail(email, `as @${name} `), 'application');
}

const confirm = async (registration_url: string, display_name: string) =>
  post('account/create-application', { registration_url, display_name });

/** Returns the id of the application. */
async function apply(name: string, email?: string, person?: string): Promise<string> {
  const response = await confirm(await requestLink(name, email, person), name);
  expect(response).toMatchObject(okBody({ display_name: name }));
  return (await list()).find(({ display_name }) => display_name === name)!.id;
}

/** What the link in the mail about an application can do. */
async function openLink(name: string) {
  const mail = await readMail(`${name}@example.com`, '/dashboard/withdrawal#');
  const application_url = readToken(mail, 'withdrawal');
  return {
    application_url,
    lookUp: () => post('account/get-application', { application_url }),
    withdraw: () => post('account/delete-application', { application_url }),
  };
}

const isAvailable = async (display_name: string) => {
  const { body } = await post('account/check-registration', { display_name });
  return (body as { available: boolean }).available;
};

it('an application is refused once the server takes no strangers', async () => {
  const token = await requestLink('closed-late');
  const json = { registration_url: token, display_name: 'closed-late' };
  const later = await openTestApp({ REGISTRATION: 'invite', mailEnabled: true }, server.database);
  expect(await postFromPage(later, '/owner/account/create-application', json)).toMatchObject(
    errorCode(403, 'registrationClosed'),
  );
});

it('an application is refused with a link that was mailed for another sign-up', async () => {
  const request = { email: 'invited@example.com', display_name: 'invited' };
  const token = await createSignUpToken(server.db, request);
  expect(await confirm(token, 'invited')).toMatchObject(errorCode(401, 'registrationInvalid'));
});

it('an application is requested in a job that a server of 0.2.0, which would drop its text, leaves', async () => {
  const idle = { REGISTRATION: 'approval', mailEnabled: true } as const;
  const other = await openTestApp(idle, server.database);
  const email = 'upgrade@example.com';
  const json = { display_name: 'upgrade', email, application_text: 'Hello' };
  await postFromPage(other, '/owner/account/create-registration', json);
  expect(await server.sql`SELECT name FROM pgboss.job WHERE data->>'email' = ${email}`).toEqual([
    { name: 'application-request' },
  ]);
});

it('an application waits once its address is confirmed, holds the name, and tells both sides', async () => {
  const token = await requestLink('ada-nowak', undefined, 'Ada Nowak');
  expect(await isAvailable('ada-nowak')).toBe(true);
  expect(await list()).toEqual([]);
  expect(
    await post('account/create-account', { registration_url: token, display_name: 'ada-nowak' }),
  ).toMatchObject(errorCode(403, 'registrationClosed'));
  const { body } = await confirm(token, 'ada-nowak');
  expect(body).toMatchObject({ display_name: 'ada-nowak', text: 'I am ada-nowak' });
  const { created_at, expires_at } = body as { created_at: string; expires_at: string };
  expect((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000).toBe(14);
  expect(await confirm(token, 'ada-nowak')).toMatchObject(errorCode(401, 'registrationInvalid'));
  const check = { registration_url: token, display_name: 'ada-nowak' };
  expect(await post('account/check-registration', check)).toMatchObject(
    errorCode(401, 'registrationInvalid'),
  );
  expect(await isAvailable('ada-nowak')).toBe(false);
  await expect(
    operator.client.account.updateDisplayName({ display_name: 'ada-nowak' }),
  ).rejects.toMatchObject({ code: 'displayNameTaken' });
  const [application] = await list();
  expect(application).toMatchObject({
    state: 'waiting',
    suspended_at: expect.any(String),
    page_title: 'Ada Nowak',
    email: 'ada-nowak@example.com',
    application: { text: 'I am ada-nowak', same_address: [] },
  });
  await readMail('ada-nowak@example.com', 'They can decide until');
  expect(await readMail('nora@example.com', '1 person wants to join')).toContain('Ada Nowak');
  const { events } = await operator.owner.events.listEvents({ limit: 1 });
  expect(events).toMatchObject([
    { type: 'application_received', detail: { display_name: 'ada-nowak' } },
  ]);
  const current = await call(server.app, {
    path: '/owner/sessions/get-session',
    headers: session,
  });
  expect(current).toMatchObject(okBody({ waiting_applications: 1 }));
});

it('an application is approved: the mail logs in to an account with the name and the address', async () => {
  await operator.owner.server.updateInstance({ directory: 'members' });
  const id = await apply('ben-carter', undefined, 'Ben Carter');
  const { withdraw } = await openLink('ben-carter');
  await server.sql`UPDATE accounts SET created_at = '2026-01-01' WHERE id = ${id}`;
  const account_id = id.toUpperCase();
  const response = await decide('approve', [account_id], { sentence: 'Bring the Laser.' });
  expect(response).toMatchObject(okBody({ results: [{ account_id, result: 'done' }] }));
  expect(await withdraw()).toMatchObject(errorCode(401, 'applicationInvalid'));
  // Its first week, in which search engines may not list it, begins now.
  expect(
    await server.sql`SELECT FROM accounts WHERE id = ${id} AND created_at < '2026-01-02'`,
  ).toEqual([]);
  const mail = await readMail('ben-carter@example.com', 'You are in');
  expect(mail).toContain('Bring the Laser.');
  expect(mail).toContain('You will be in it only if you agree.');
  const login = await post('sessions/create-session', {
    login_url: readToken(mail, 'login'),
  });
  expect(login.status).toBe(200);
  const headers = sessionHeaders(login);
  expect(await call(server.app, { path: '/account/get-display-name', headers })).toMatchObject(
    okBody({ display_name: 'ben-carter' }),
  );
  const { body: site } = await call(server.app, {
    path: '/site/get-site-configuration',
    headers,
  });
  expect(JSON.stringify(site)).toContain('"display_name":"Ben Carter"');
  expect(await server.sql`SELECT email, name, text FROM applications WHERE id = ${id}`).toEqual([
    { email: null, name: null, text: '' },
  ]);
  const { entries } = await operator.owner.server.listAuditEntries({ limit: 1 });
  expect(entries).toMatchObject([
    {
      action: 'members.approveMembers',
      detail: { applications: ['ben-carter'], mail: true, sentence: 'Bring the Laser.' },
    },
  ]);
  await decide('decline', [id]);
  const afterwards = await operator.owner.server.listAuditEntries({ limit: 1 });
  expect(afterwards.entries).toEqual(entries);
});

it('an application uses up the invitation of its address, and the page has the name in it', async () => {
  const invitation = { csv: 'email,name\nlea@example.com,Lea Sommer', mail: false };
  await operator.owner.invitations.createInvitations(invitation as never);
  await decide('approve', [await apply('lea-sommer', 'lea@example.com')]);
  const { invitations } = await operator.owner.invitations.listInvitations({ search: 'Lea' });
  expect(invitations).toMatchObject([{ state: 'accepted', email: null }]);
  const [page] = await server.sql`SELECT sites.display_name FROM sites
      JOIN display_names USING (account_id) WHERE name = 'lea-sommer'`;
  expect(page).toEqual({ display_name: 'Lea Sommer' });
});

it('an application is declined: the account is deleted, and the answer is kept for 30 days', async () => {
  const id = await apply('leif-olsen', undefined, 'Leif Olsen');
  const { lookUp, withdraw } = await openLink('leif-olsen');
  await decide('decline', [id], { sentence: 'We are full until spring.' });
  const mail = await readMail('leif-olsen@example.com', 'was declined');
  expect(mail).toContain('We are full until spring.');
  expect(await isAvailable('leif-olsen')).toBe(true);
  expect(await server.sql`SELECT FROM accounts WHERE id = ${id}`).toEqual([]);
  expect(await server.sql`SELECT email, name, text FROM applications WHERE id = ${id}`).toEqual([
    { email: null, name: null, text: '' },
  ]);
  const answer = { state: 'declined', sentence: 'We are full until spring.', by: 'nora' };
  const { body } = await lookUp();
  expect(body).toMatchObject({ ...answer, display_name: 'leif-olsen', text: '' });
  const { created_at, expires_at } = body as { created_at: string; expires_at: string };
  expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)).toBe(30);
  await server.sql`UPDATE applications SET (created_at, decided_at) =
      (now() - interval '29 days', now() - interval '29 days') WHERE id = ${id}`;
  await deleteExpired(server.db, 'applications');
  const findEntry = async () => {
    const { entries } = await operator.owner.server.listAuditEntries({ limit: 1 });
    return entries[0];
  };
  const named = {
    mail: true,
    sentence: 'We are full until spring.',
    applications: ['leif-olsen'],
  };
  await expireApplications(server.nameplate);
  expect(await lookUp()).toMatchObject(okBody(answer));
  expect(await findEntry()).toMatchObject({ detail: named });
  await server.sql`UPDATE audit_log SET created_at = now() - interval '31 days'
      WHERE detail->'applications' ? 'leif-olsen'`;
  await expireApplications(server.nameplate);
  expect(
    await server.sql`SELECT FROM audit_log WHERE detail::text LIKE '%leif-olsen%'
      OR detail::text LIKE '%until spring%'`,
  ).toEqual([]);
  await server.sql`UPDATE applications SET decided_at = now() - interval '31 days' WHERE id = ${id}`;
  await deleteExpired(server.db, 'applications');
  expect(await withdraw()).toMatchObject(errorCode(401, 'applicationInvalid'));
});

it('an application that was declined is deleted earlier by its person', async () => {
  const id = await apply('now-please');
  const { lookUp, withdraw } = await openLink('now-please');
  await decide('decline', [id]);
  expect(await withdraw()).toMatchObject(okBody({ success: true }));
  expect(await lookUp()).toMatchObject(errorCode(401, 'applicationInvalid'));
  expect(await server.sql`SELECT FROM applications WHERE id = ${id}`).toEqual([]);
});

it('an application can be declined without a mail, but not with a sentence that nobody gets', async () => {
  const id = await apply('sail-cloth');
  await waitUntilNoMailIsDue(server.db);
  mailServer.received.length = 0;
  expect(await decide('decline', [id], { mail: false, sentence: 'Sorry.' })).toMatchObject(
    errorCode(400, 'sentenceInvalid'),
  );
  await decide('decline', [id], { mail: false });
  await waitUntilNoMailIsDue(server.db);
  expect(mailServer.mailsTo('sail-cloth@example.com')).toEqual([]);
});

it('an application is decided with a mail only by a server that sends mail', async () => {
  const account_id = await apply('mail-less');
  const other = await openTestApp({ REGISTRATION: 'approval' }, server.database);
  const request = (operation: string, json: object = {}) =>
    send(other, operator, `POST /owner/members/${operation}`, {
      account_ids: [account_id],
      ...json,
    });
  for (const operation of ['approve-members', 'decline-members'])
    expect(await request(operation)).toMatchObject(errorCode(409, 'mailUnavailable'));
  expect(await request('decline-members', { mail: false })).toMatchObject(
    okBody({ results: [{ account_id, result: 'done' }] }),
  );
});

it('an application is withdrawn by its person with the mailed link', async () => {
  const id = await apply('mira-long');
  const { application_url, lookUp, withdraw } = await openLink('mira-long');
  // What scanners of mail do changes nothing.
  for (const method of ['GET', 'HEAD'] as const)
    await server.app.inject({ method, url: `/dashboard/withdrawal?${application_url}` });
  expect(await lookUp()).toMatchObject(
    okBody({ state: 'waiting', display_name: 'mira-long', text: 'I am mira-long', by: null }),
  );
  expect(await withdraw()).toMatchObject(okBody({ success: true }));
  for (const request of [withdraw, lookUp])
    expect(await request()).toMatchObject(errorCode(401, 'applicationInvalid'));
  expect(await isAvailable('mira-long')).toBe(true);
  expect(await decide('approve', [id])).toMatchObject(
    okBody({ results: [{ account_id: id, result: 'notFound' }] }),
  );
});

it('an application expires after 14 days: a mail says so, and the name is free', async () => {
  const id = await apply('too-late');
  const age = (days: number) =>
    server.sql`UPDATE applications SET created_at = now() - ${days} * interval '1 day' WHERE id = ${id}`;
  await age(13.9);
  await expireApplications(server.nameplate);
  expect(await isAvailable('too-late')).toBe(false);
  await age(14);
  await expireApplications(server.nameplate);
  await readMail('too-late@example.com', 'has expired');
  expect(await isAvailable('too-late')).toBe(true);
});

it('an application of an address with others, or with an account, says so at each', async () => {
  await apply('twin-one', 'Twins@example.com');
  await apply('twin-two', 'twins@example.com');
  await apply('nora-too', 'NORA@example.com');
  const found = new Map(
    (await list()).map((row) => [row.display_name, row.application?.same_address]),
  );
  expect(found.get('twin-one')).toEqual(['twin-two']);
  expect(found.get('twin-two')).toEqual(['twin-one']);
  expect(found.get('nora-too')).toEqual(['nora']);
});

it('an application for a former name takes it also from its last owner', async () => {
  const account = await server.createNamedAccount('former-name');
  await server.sql`UPDATE display_names SET was_visible = true WHERE name = 'former-name'`;
  await account.client.account.updateDisplayName({ display_name: 'later-name' });
  const token = await requestLink('another-name', 'former@example.com');
  expect(await confirm(token, 'former-name')).toMatchObject(errorCode(409, 'nameUnavailable'));
  await server.sql`UPDATE display_names SET released_at = now() - interval '99 days'
      WHERE name = 'former-name'`;
  expect((await confirm(token, 'former-name')).status).toBe(200);
  const [{ id } = { id: '' }] = await list();
  expect(await isAvailable('former-name')).toBe(false);
  await expect(
    account.client.account.updateDisplayName({ display_name: 'former-name' }),
  ).rejects.toMatchObject({ code: 'displayNameTaken' });
  await decide('decline', [id]);
  mailServer.received.length = 0;
  expect(await decide('approve', [await apply('former-name')])).toMatchObject(
    okBody({ results: [{ result: 'done' }] }),
  );
});

it('an application of a fourth name for one address is refused, and keeps its link', async () => {
  const email = 'family@example.com';
  for (const name of ['first-kid', 'second-kid', 'third-kid']) await apply(name, email);
  mailServer.received.length = 0;
  const token = await requestLink('fourth-kid', email);
  const limit = errorCode(409, 'applicationLimitReached');
  expect(await confirm(token, 'fourth-kid')).toMatchObject(limit);
  expect(await isAvailable('fourth-kid')).toBe(true);
  const [{ id } = { id: '' }] = await list();
  await decide('decline', [id]);
  expect((await confirm(token, 'fourth-kid')).status).toBe(200);
});

it('an application cannot get a name that another application holds, a member has, or is reserved', async () => {
  const tokens = [await requestLink('same-name', 'one@example.com')];
  tokens.push(await requestLink('same-name', 'two@example.com'));
  expect((await confirm(tokens[0]!, 'same-name')).status).toBe(200);
  for (const name of ['same-name', 'nora', 'admin'])
    expect(await confirm(tokens[1]!, name)).toMatchObject(errorCode(409, 'nameUnavailable'));
  expect((await confirm(tokens[1]!, 'another-name')).status).toBe(200);
});

it('decisions of two operators at once happen once, with a result for each application', async () => {
  const ids = [await apply('two-deciders-1'), await apply('two-deciders-2')];
  const other = await server.createNamedAccount('kim-two');
  await makeOperator(server, other);
  const path = 'members/decline-members';
  const otherSession = await logIn(server, other.id);
  const responses = await Promise.all([
    decide('approve', ids),
    post(path, { account_ids: ids.toReversed() }, otherSession),
  ]);
  const results = responses.map(({ body }) =>
    (body as { results: { result: string }[] }).results.map(({ result }) => result),
  );
  expect(results.toSorted()).toEqual([
    ['alreadyDecided', 'alreadyDecided'],
    ['done', 'done'],
  ]);
});

it('the front page asks for a name, an address and a text, and keeps them if one is refused', async () => {
  const page = (await server.app.inject({ url: '/?name=new-person' })).payload;
  expect(page).toContain('Your name is held for 14 days.');
  expect(page).toMatch(/name="person"\s+value="New Person"/);
  expect(page).toContain('Why would you like to join?');
  const person = 'Nína “New” O’Person';
  const form = { name: 'new-person', person, email: 'new@example.com', text: 'x'.repeat(501) };
  const refused = await postForm(server, '/', form);
  expect(refused.statusCode).toBe(400);
  expect(refused.payload).toContain('x'.repeat(500));
  expect(refused.payload).toContain('“Why would you like to join?” has room for 500 characters.');
  expect(refused.payload).not.toContain('application_text');
  expect(refused.payload).toContain('Nína “New” O’Person');
  expect((await postForm(server, '/', { ...form, text: 'Hello!' })).statusCode).toBe(200);
  const mail = await readMail('new@example.com', '/dashboard/application#');
  expect((await confirm(readToken(mail, 'application'), 'new-person')).status).toBe(200);
  expect((await list())[0]).toMatchObject({
    display_name: 'new-person',
    page_title: person,
    application: { text: 'Hello!' },
  });
});

it('a form that is sent twice is one mail; another one comes after a change, or if asked for', async () => {
  const email = 'twice@example.com';
  const form = { name: 'twice', person: 'Ada Nowak', email, text: 'Hello' };
  const sendForm = async (fields: object = {}) =>
    expect((await postForm(server, '/', { ...form, ...fields })).statusCode).toBe(200);
  const countMails = async (count: number) => {
    const countSignUps = () => server.sql`SELECT FROM sign_ups WHERE email = ${email}`;
    await eventually(countSignUps, ({ length }) => length === count);
    await eventually(
      () => mailServer.mailsTo(email).length,
      (length) => length === count,
    );
  };
  await Promise.all([sendForm(), sendForm()]);
  await sendForm();
  await countMails(1);
  const token = readToken(await readMail(email, 'as @twice '), 'application');
  await sendForm({ text: 'Hello, all' });
  await countMails(2);
  await Promise.all([sendForm({ again: '1' }), sendForm({ again: '1' })]);
  await countMails(3);
  expect(await confirm(token, 'twice')).toMatchObject(okBody({ display_name: 'twice' }));
});

it('no mail is lost or doubled while the mail server restarts in each step', async () => {
  const { port } = new URL(mailServer.url);
  const email = 'restart@example.com';
  /** Takes the step while no mail server answers. Returns the only mail that has the text then. */
  const restartDuring = async (step: () => Promise<unknown>, text: string) => {
    await mailServer.close();
    const before = server.warnings.length;
    expect(await step()).toMatchObject({ status: 200 });
    await eventually(
      () => server.warnings.length,
      (count) => count > before,
    );
    mailServer = await startMailServer(Number(port));
    const mail = await readMail(email, text);
    await waitUntilNoMailIsDue(server.db);
    expect(mailServer.mailsTo(email)).toHaveLength(1);
    return mail;
  };
  const json = { display_name: 'restarts', email, application_text: 'Hello' };
  const request = () => post('account/create-registration', json);
  const token = readToken(await restartDuring(request, 'as @restarts '), 'application');
  await restartDuring(() => confirm(token, 'restarts'), 'They can decide until');
  const { id } = (await list()).find(({ display_name }) => display_name === 'restarts')!;
  const welcome = await restartDuring(() => decide('approve', [id]), 'You are in');
  const login = await post('sessions/create-session', { login_url: readToken(welcome, 'login') });
  expect(login.status).toBe(200);
});
