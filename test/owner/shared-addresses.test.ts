import { beforeAll, expect, it } from 'vitest';
import type { CheckInvitationsResponse, ListInvitationsResponse } from '#client/owner.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { inAccountTransaction } from '#db/queries/accounts.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { mailLoginLinks } from '#server/features/sessions/login-mail.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { createSession, logIn, postFromPage, sessionHeaders } from '../support/session.ts';
import { setSuspended } from '../support/suspend.ts';

const { server, mailServer } = await useForwarding();
const { waitForMails } = mailServer;

let operator: Record<string, string>;
beforeAll(async () => {
  const account = await createOperator(server);
  operator = await logIn(server, account.id);
});

async function createAccounts(email: string, ...names: string[]) {
  const accounts = [];
  for (const display_name of names) {
    const account = await server.createAccount();
    await account.client.account.updateDisplayName({ display_name });
    await server.sql`UPDATE forwarding_settings SET login_email = ${email}
      WHERE account_id = ${account.id}`;
    accounts.push(account);
  }
  return accounts;
}

const send = (path: string, json: unknown, headers?: Record<string, string>) =>
  postFromPage(server, `/owner/${path}`, json, headers);

async function readNextMail(email: string): Promise<string> {
  const [mail] = await waitForMails(1, email);
  mailServer.received.length = 0;
  return mail!.source;
}

async function requestLoginMail(email: string): Promise<string> {
  await send('sessions/send-login-link', { email });
  return readNextMail(email);
}

const findLinks = (source: string) => [
  ...new Set(source.match(/(?<=dashboard\/(?:login|registration|invitation)#)[\w-]{43}/g)),
];

it('a login mail has a link for each account of the address, and says which is suspended', async () => {
  const email = 'family@example.com';
  const [karl, anna] = await createAccounts(email, 'karl-f', 'anna-f', 'kurt-f');
  await setSuspended(server, 'kurt-f');
  const mail = await requestLoginMail(email);
  expect(mail).toContain('Subject: Your login links for names.example.org');
  expect(mail).toContain('kurt-f is suspended, so it has no link.');
  const links = findLinks(mail);
  expect(links).toHaveLength(2);
  for (const [index, { id }] of [karl!, anna!].entries())
    expect(await createSession(server, { login_url: links[index] })).toMatchObject({
      body: { account_id: id },
    });
  await send('sessions/send-login-link', { email: 'anna-f@nameplate.example' });
  expect(await readNextMail(email)).toContain('Subject: Your login link for anna-f');
});

it('a login mail is requested only for what can be an address, also at an international domain', async () => {
  for (const email of ['', 'abc', 'abc@example', '@example.com', 'jörg@example.com'])
    expect(await send('sessions/send-login-link', { email })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'emailInvalid' },
    });
  await createAccounts('hans@xn--exmple-cua.com', 'hans-idn');
  // The mail server shows domains as people write them.
  expect(await requestLoginMail('hans@exämple.com')).toContain('Your login link for hans-idn');
});

it('a login mail that waits is canceled with the links of any account in it', async () => {
  const email = 'waits-twice@example.com';
  const [, second] = await createAccounts(email, 'waits-first', 'waits-second');
  await mailLoginLinks(server.db, { ...server.outbox }, email);
  await inAccountTransaction(server.db, second!.id, (trx) => deleteLoginLinks(trx, second!.id));
  const jobs = await server.sql`SELECT FROM pgboss.job WHERE name = 'mail' AND state < 'active'
    AND data->>'address' = ${email}`;
  const links = await server.sql`SELECT FROM login_links WHERE account_id = ${second!.id}`;
  expect([jobs, links]).toEqual([[], []]);
});

async function signUp(display_name: string, email: string) {
  expect(await send('account/create-registration', { display_name, email })).toMatchObject({
    status: 200,
  });
  return readNextMail(email);
}

const createAccount = (registration_url: string, display_name: string) =>
  send('account/create-account', { registration_url, display_name });

it('two people sign up with one address, whichever link is used first', async () => {
  const email = 'both@example.com';
  const [karl, anna] = [await signUp('karl-both', email), await signUp('anna-both', email)];
  expect(karl).not.toContain('has this address, too');
  expect((await createAccount(findLinks(anna)[0]!, 'anna-both')).status).toBe(200);
  expect((await createAccount(findLinks(karl)[0]!, 'karl-both')).status).toBe(200);
  const third = await signUp('third-both', email);
  expect(third).toContain('Subject: Claim third-both');
  expect(third).toContain('anna-both and karl-both have this address, too.');
});

it('an address with as many accounts as a mail lists gets login links instead of another account', async () => {
  const email = 'crowd@example.com';
  const names = Array.from({ length: LIMITS.accountsPerAddress + 1 }, (_, n) => `crowd-${n}`);
  await createAccounts(email, ...names);
  const mail = await signUp('crowd-more', email);
  expect(findLinks(mail)).toHaveLength(LIMITS.accountsPerAddress);
  expect(mail).toContain('A mail lists 10 accounts. To sign in to another one, enter its own');
});

async function check(csv: string) {
  const { body } = await send('invitations/check-invitations', { csv }, operator);
  const { members } = body as CheckInvitationsResponse;
  return members.map(({ state, note, problem }) => [state, problem?.code ?? null, note]);
}

const TAKEN = 'k-fuerst has this address, too.';
it.each([
  ['Anna Fürst', ['ready', null, TAKEN]],
  ['K. Fürst', ['left_out', 'email_has_account', null]],
  ['Fürst, KARL', ['left_out', 'email_has_account', null]],
  ['Kapitän', ['left_out', 'email_has_account', null]],
  ['', ['left_out', 'email_has_account', null]],
])('the check of %s at the address of an account finds %j', async (name, expected) => {
  const [account] = await server.sql`SELECT account_id FROM display_names WHERE name = 'k-fuerst'`;
  if (!account) {
    const [{ id } = { id: '' }] = await createAccounts('fuerst@example.com', 'k-fuerst');
    await server.sql`INSERT INTO sites (account_id, display_name) VALUES (${id}, 'Kapitän')
      ON CONFLICT (account_id) DO UPDATE SET display_name = 'Kapitän'`;
    await server.sql`INSERT INTO invitations (name, account_id, uses, max_uses, expires_at)
      VALUES ('Karl Fürst', ${id}, 1, 1, now())`;
  }
  expect(await check(`name,email\n"${name}",Fuerst@example.com\n`)).toEqual([expected]);
});

it('two people of one list with one address are both invited and join, each with a name and mail of their own', async () => {
  const email = 'pair@example.com';
  const csv = `name,email\nKarl Pair,${email}\nAnna Pair,${email}\n"Pair, Anna",${email}\n`;
  expect(await check(csv)).toEqual([
    ['ready', null, null],
    ['ready', null, 'Line 2 has the same address.'],
    ['left_out', 'email_repeated', null],
  ]);
  expect(await send('invitations/create-invitations', { csv, mail: true }, operator)).toMatchObject(
    { body: { invited: 2 } },
  );
  const mails = await waitForMails(2, email);
  for (const { source } of mails) {
    const name = /Hello (\w+) Pair/.exec(source)![1]!.toLowerCase();
    const request = { invitation_url: findLinks(source)[0], display_name: `my-${name}` };
    const accepted = await send('invitations/accept-invitation', request);
    const headers = sessionHeaders(accepted);
    expect(
      await call(server.app, { path: '/owner/forwarding/get-forwarding', headers }),
    ).toMatchObject({ body: { email, enabled: true, confirmed: true } });
  }
  const { body } = await call(server.app, {
    path: '/owner/invitations/list-invitations?search=pair&state=accepted',
    headers: operator,
  });
  const { invitations } = body as ListInvitationsResponse;
  expect(invitations.map(({ name, display_name }) => [name, display_name]).toSorted()).toEqual([
    ['Anna Pair', 'my-anna'],
    ['Karl Pair', 'my-karl'],
  ]);
  // Everybody of the list has joined now.
  const again = await send('invitations/create-invitations', { csv, mail: true }, operator);
  expect(again).toMatchObject({ body: { invited: 0 } });
});

it('an invitation moves to the address of another person, but not of the same', async () => {
  const email = 'moves@example.com';
  const csv = `name,email\nAnna Move,${email}\nKarl Move,wrong@example.com\nAnna Move,old@example.com\n`;
  await send('invitations/create-invitations', { csv, mail: true }, operator);
  const update = async (from: string) => {
    const [row] = await server.sql<{
      id: string;
    }>`SELECT id FROM invitations WHERE email = ${from}`;
    const request = { invitation_id: row!.id, email };
    return (await send('invitations/update-invitation', request, operator)).status;
  };
  expect([await update('wrong@example.com'), await update('old@example.com')]).toEqual([200, 409]);
});

it('who signs up without the link of an invitation gets what is in it', async () => {
  const email = 'by-herself@example.com';
  const csv = `name,email,display_name,forward_to_email\nAnna Self,${email},anna-self,elsewhere@example.com\nKarl Self,${email},karl-self,\n`;
  await send('invitations/create-invitations', { csv, mail: true }, operator);
  await waitForMails(2, email);
  mailServer.received.length = 0;
  const created = await createAccount(findLinks(await signUp('anna-self', email))[0]!, 'anna-self');
  const headers = sessionHeaders(created);
  expect(
    await call(server.app, { path: '/owner/forwarding/get-forwarding', headers }),
  ).toMatchObject({ body: { login_email: email, pending_email: 'elsewhere@example.com' } });
  expect(
    await server.sql`SELECT name, uses FROM invitations WHERE name LIKE '%Self' ORDER BY name`,
  ).toEqual([
    { name: 'Anna Self', uses: 1 },
    { name: 'Karl Self', uses: 0 },
  ]);
});
