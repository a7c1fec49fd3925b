import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { listOperators } from '#db/queries/operators.ts';
import { resumptionMail } from '#server/features/accounts/suspension-mail.ts';
import { confirmWithToken } from '#server/features/forwarding/change-forwarding.ts';
import { changeMail, confirmationMail } from '#server/features/forwarding/destination-mails.ts';
import {
  memberMessageMail,
  officialNoticeMail,
} from '#server/features/messages/member-message-mail.ts';
import { reportMail } from '#server/features/reports/report-mail.ts';
import { mailLoginLinks } from '#server/features/sessions/login-mail.ts';
import { recordLeaver } from '#server/features/sign-on/leaver.ts';
import { linkIdentity } from '#server/features/sign-on/sign-in.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { visitorMessageMail } from '#server/features/sites/visitor-message-mail.ts';
import type { OwnerMail } from '#server/platform/mail/define-mail.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import { createOutbox } from '#server/platform/mail/outbox.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import { waitUntilMailsSent, waitUntilNoMailIsDue } from '../forwarding/mail-server.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { Authenticator } from '../support/authenticator.ts';
import { call, send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createOperator, makeOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { createPage } from '../support/publish-page.ts';
import {
  createSession,
  createLoginLinkToken,
  logIn,
  postForm,
  SAME_ORIGIN_HEADERS,
  postFromPage,
} from '../support/session.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';

const { server, mailServer } = await useForwarding();

async function createAccountWithAddress(name: string, email: string, confirmed = true) {
  const account = await server.createForwardedAccount(name, email);
  await waitForMails(1, email);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = ${confirmed}
    WHERE account_id = ${account.id}`;
  mailServer.received.length = 0;
  return account;
}

const { waitForMails } = mailServer;

/** Waits for a mail that contains a text, and returns its source. No mail links to another site. */
async function expectMail(to: string, text: string): Promise<string> {
  const [mail] = await waitForMails(1);
  expect(mail).toMatchObject({ to: [to], source: expect.stringContaining(text) });
  expect(mail?.source).not.toContain('https://evil.example');
  return mail!.source;
}

async function confirmOtherAddress(account: TestAccount) {
  await server.enableForwarding(account, 'b@example.com');
  const token = createToken();
  // A mail that is tried again in between has another token.
  const confirm = async () => {
    await server.sql`UPDATE forwarding_destinations
      SET token_hash = ${hashToken(token)}, token_expires_at = now() + interval '1 day'
      WHERE account_id = ${account.id} AND mail_count > 0 AND address_hash = sha256(
        convert_to(account_id::text || ' b@example.com', 'UTF8'))`;
    return confirmWithToken(server.nameplate, token);
  };
  expect(await eventually(confirm, Boolean)).toMatchObject({ isForwarding: true });
}

const waitUntilAllSent = () => waitUntilMailsSent(server.db);

async function requestLoginLink(email: unknown) {
  const path = '/owner/sessions/send-login-link';
  const request = { method: 'POST', path, json: { email }, headers: SAME_ORIGIN_HEADERS };
  const { status, body } = await call(server.app, request);
  return { status, body };
}

const DONE = { status: 200, body: { success: true } };

it('a login link by mail is sent to the confirmed address and logs in once', async () => {
  const account = await createAccountWithAddress('jane-doe', 'jane@example.com');
  expect(await requestLoginLink('Jane@Example.com')).toEqual(DONE);
  const source = await expectMail('jane@example.com', 'Subject: Your login link for jane-doe');
  const [, link] = /https:\/\/names\.example\.org\/dashboard\/login#([\w-]{43})\b/.exec(source)!;
  expect(await createSession(server, { login_url: link })).toMatchObject(
    okBody({ account_id: account.id }),
  );
  expect((await createSession(server, { login_url: link })).status).toBe(401);
});

it("a login link by mail is sent to the confirmed address for the name's address at the server", async () => {
  await createAccountWithAddress('club-name', 'at-home@example.com');
  expect(await requestLoginLink('Nobody-here@nameplate.example')).toEqual(DONE);
  expect(await requestLoginLink('Club-Name@Nameplate.example')).toEqual(DONE);
  await expectMail('at-home@example.com', 'Subject: Your login link for club-name');
});

it('a login link by mail is still sent to the address after a change of the name', async () => {
  const account = await createAccountWithAddress('first-name', 'founder@example.com');
  await server.sql`UPDATE forwarding_settings SET forwarding_enabled = false
      WHERE account_id = ${account.id}`;
  await account.client.account.updateDisplayName({ display_name: 'second-name' });
  expect(await requestLoginLink('founder@example.com')).toEqual(DONE);
  await expectMail('founder@example.com', 'Subject: Your login link for second-name');
});

it('a login link by mail and its confirmation name the address of an account without a display name', async () => {
  const { client, id } = await server.createAccount();
  const email = 'no-name@example.com';
  await client.emailForwarding.emailForwardingToggle({ enabled: false, email });
  await waitForMails(1);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
      WHERE account_id = ${id}`;
  expect(await requestLoginLink(email)).toEqual(DONE);
  const sources = (await waitForMails(2)).map(({ source }) => source).join('');
  expect(sources).toContain(`Subject: Your login link for ${email}`);
  expect(sources).toContain(`the account ${email} at`);
  expect(sources).not.toContain(id);
});

it('a login link by mail is in the language of the account, whatever the browser prefers', async () => {
  const account = await createAccountWithAddress('deutsch', 'deutsch@example.com');
  await send(server, account, 'POST /owner/account/update-language', { language: 'de' });
  expect(await requestLoginLink('deutsch@example.com')).toEqual(DONE);
  const source = await expectMail('deutsch@example.com', 'funktioniert einmal, innerhalb');
  expect(source).toContain('<html lang="de">');
  expect(source).not.toContain('Sent by');
});

it('a login link by mail gets the same response for an unknown or unconfirmed address, but sends no mail', async () => {
  await createAccountWithAddress('not-agreed', 'not-agreed@example.com', false);
  await createAccountWithAddress('agreed', 'agreed@example.com');
  for (const email of ['nobody@example.com', 'not-agreed@example.com'])
    expect(await requestLoginLink(email)).toEqual(DONE);
  expect(await requestLoginLink('agreed@example.com')).toEqual(DONE);
  await waitForMails(1);
  await waitUntilAllSent();
  expect(mailServer.received.map(({ to }) => to)).toEqual([['agreed@example.com']]);
  const rule = 'email must be an email address of at most 254 characters.';
  const refused = errorText(400, rule);
  for (const email of [undefined, 1, 'x', '', 'x'.repeat(255)])
    expect(await requestLoginLink(email)).toEqual(refused);
});

it('a login link by mail is sent to an address five times an hour, and again after the newest link has expired', async () => {
  const account = await createAccountWithAddress('asked-often', 'often@example.com');
  const requestLoginLinks = () => mailLoginLinks(server.db, server.outbox, 'often@example.com');
  const ageRequests = (minutes: number) =>
    server.sql`UPDATE owner_mails SET created_at = created_at - ${minutes} * interval '1 minute'
        WHERE account_id = ${account.id}`;
  for (let sent = 1; sent <= 5; sent += 1) {
    await Promise.all([requestLoginLinks(), requestLoginLinks()]);
    await waitForMails(sent);
    await waitUntilAllSent();
  }
  await ageRequests(9);
  await requestLoginLinks();
  await ageRequests(2);
  await Promise.all(Array.from({ length: 12 }, requestLoginLinks));
  await waitForMails(6);
  await waitUntilAllSent();
  for (let count = 0; count < 5; count += 1) await requestLoginLinks();
  await ageRequests(60);
  await deleteExpired(server.db, 'owner_mails');
  await requestLoginLinks();
  await waitForMails(7);
  await waitUntilAllSent();
  expect(mailServer.received).toHaveLength(7);
});

it('a login link by mail is mailed once if it is requested again while queued', async () => {
  const account = await createAccountWithAddress('waits-long', 'waits@example.com');
  mailServer.refusal = { code: 451, text: 'busy' };
  for (let count = 0; count < 12; count += 1)
    await mailLoginLinks(server.db, server.outbox, 'waits@example.com');
  const rows = await server.sql`SELECT FROM owner_mails
      WHERE account_id = ${account.id} AND kind = 'login'`;
  expect(rows).toHaveLength(1);
  mailServer.refusal = undefined;
  await waitForMails(1);
});

it.each<[what: string, end: (account: TestAccount) => Promise<unknown>]>([
  ['another address is confirmed', confirmOtherAddress],
  ['the name is changed', (account) => server.rename(account, `new-${account.id.slice(0, 8)}`)],
  ['a key is revoked', ({ owner, key }) => owner.keys.revokeKey({ key_id: key.split('.')[0]! })],
  [
    'a passkey is removed',
    async ({ owner, id }) => {
      await server.sql`INSERT INTO passkeys (id, account_id, public_key, counter, transports, scope)
          VALUES (${id}, ${id}, 'key', 0, '[]', 'all')`;
      return owner.passkeys.deletePasskey({ passkey_id: id });
    },
  ],
  [
    'a session is ended from elsewhere',
    async ({ owner, id }) => {
      await logIn(server, id);
      const { sessions } = await owner.sessions.listSessions();
      return owner.sessions.revokeSession({ session_id: sessions[0]!.id });
    },
  ],
  ['all sessions are ended', ({ owner }) => owner.sessions.revokeAllSessions()],
])('a login link by mail is invalid once %s, also while queued', async (reason, invalidate) => {
  const name = reason.replaceAll(' ', '-');
  const account = await createAccountWithAddress(name, `${name}@example.com`);
  const link = await createLoginLinkToken(server, account.id);
  mailServer.refusal = { code: 451, text: 'busy' };
  await mailLoginLinks(server.db, server.outbox, `${name}@example.com`);
  await invalidate(account);
  expect((await createSession(server, { login_url: link })).status).toBe(401);
  mailServer.refusal = undefined;
  await waitUntilAllSent();
  // A mail that is already being sent arrives, but its link is invalid.
  for (const { source } of mailServer.received) {
    const token = /\/dashboard\/login#([\w-]{43})/.exec(source)?.[1];
    if (token) expect((await createSession(server, { login_url: token })).status).toBe(401);
  }
});

it('a login link by mail is canceled, too, if a failed try is being queued again at that moment', async () => {
  const account = await createAccountWithAddress('tried-again', 'tried-again@example.com');
  mailServer.refusal = { code: 451, text: 'busy' };
  await mailLoginLinks(server.db, server.outbox, 'tried-again@example.com');
  await waitUntilNoMailIsDue(server.db);
  const mail = sql`name = 'mail' AND data @> ${JSON.stringify({ kind: 'login', accountId: account.id })}::jsonb`;
  const { promise: canceling, resolve } = Promise.withResolvers<Promise<void>>();
  await server.db.transaction().execute(async (trx) => {
    // As pg-boss does it.
    await sql`WITH failed AS (DELETE FROM pgboss.job WHERE ${mail} RETURNING *)
        INSERT INTO pgboss.job SELECT * FROM failed`.execute(trx);
    resolve(server.db.transaction().execute((other) => deleteLoginLinks(other, account.id)));
    await waitForBlockedQuery(server.db);
  });
  await canceling;
  expect((await sql`SELECT FROM pgboss.job WHERE ${mail}`.execute(server.db)).rows).toEqual([]);
});

it('a login link by mail stays valid when a browser logs out', async () => {
  const account = await createAccountWithAddress('logged-out', 'logged-out@example.com');
  const headers = await logIn(server, account.id);
  const link = await createLoginLinkToken(server, account.id);
  const path = '/owner/sessions/revoke-current-session';
  expect((await postFromPage(server, path, undefined, headers)).status).toBe(200);
  expect((await createSession(server, { login_url: link })).status).toBe(200);
});

it('a login link by mail is queued before the response, whether or not an account has the address', async () => {
  const idleServer = await openTestApp({ mailEnabled: true }, server.database);
  for (const email of ['jane@example.com', 'unknown@example.com']) {
    await postFromPage(idleServer, '/owner/sessions/send-login-link', { email });
    expect(
      await idleServer.sql`SELECT name FROM pgboss.job WHERE data->>'email' = ${email}`,
    ).toEqual([{ name: 'link-request' }]);
  }
});

it('a login link by mail is refused with an explanation if the server sends no mail', async () => {
  const serverWithoutMail = await openTestApp();
  const path = '/owner/sessions/send-login-link';
  const json = { email: 'jane@example.com' };
  expect(await postFromPage(serverWithoutMail, path, json)).toMatchObject(
    errorText(409, 'This server sends no mail. Ask its operator for a login link.'),
  );
});

it('the owner is notified by mail of a new key, but not the key', async () => {
  const account = await createAccountWithAddress('key-owner', 'keys@example.com');
  const { api_key } = await account.owner.keys.createKey({
    label: 'Sign in at https://evil.example/login',
    scope: 'read',
  });
  const subject = 'Subject: New API key for @key-owner at names.example.org';
  const source = await expectMail('keys@example.com', subject);
  expect(source).toMatch(/: np_[A-Za-z0-9]{16}, scope read\r?\n/);
  expect(source).not.toContain(api_key!.split('.')[1]);
});

it("the owner is notified by mail of the account's deletion, although its data is gone", async () => {
  const account = await createAccountWithAddress('deleted-one', 'deleted@example.com');
  const instance = { contact: 'office@example.org' };
  await inTransaction(server.db, (trx) => saveInstance(trx, instance));
  await account.owner.account.deleteAccount({ confirm: 'deleted-one' });
  const source = expect.stringMatching(/was deleted[^]*\(office@/) as string;
  await eventually(() =>
    expect(mailServer.received).toContainEqual(
      expect.objectContaining({ to: ['deleted@example.com'], source }),
    ),
  );
  await waitUntilAllSent();
  expect(JSON.stringify(await server.sql`SELECT * FROM owner_mails`)).not.toContain('example.com');
});

it('the owner is notified by mail in a mail that is retried, and whose address is not logged', async () => {
  const account = await createAccountWithAddress('late-mail', 'late@example.com');
  mailServer.refusal = { code: 451, text: 'late@example.com is busy' };
  await send(server, account, 'POST /owner/keys/create-key', {});
  await eventually(() => JSON.stringify(server.warnings).includes('"kind":"key"'), Boolean);
  mailServer.refusal = undefined;
  await waitForMails(1);
  expect(JSON.stringify([server.warnings, server.log])).not.toContain('late@example.com');
});

it('the owner is notified by mail of a new passkey, without its label', async () => {
  const account = await createAccountWithAddress('passkey-owner', 'passkeys@example.com');
  const headers = await logIn(server, account.id);
  const post = (path: string, json?: object) =>
    postFromPage(server, `/owner/passkeys/${path}`, json, headers);
  const { body } = await post('create-passkey-options');
  const { options } = body as { options: Parameters<Authenticator['create']>[0] };
  const answer = new Authenticator('http://localhost').create(options);
  expect((await post('create-passkey', { answer, label: 'See https://evil.example' })).status).toBe(
    200,
  );
  const subject = 'Subject: New passkey for @passkey-owner at names.example.org';
  await expectMail('passkeys@example.com', subject);
});

it('the owner is notified by mail of a single sign-on that was linked', async () => {
  const account = await createAccountWithAddress('linked-owner', 'linked@example.com');
  const { cookie = '' } = await logIn(server, account.id);
  const user = {
    issuer: 'https://id.example.org',
    subject: 'jane',
    sid: null,
    authenticatedAt: new Date(),
    loadClaims: () => Promise.resolve({ email: 'https://evil.example' }),
  };
  const [, sessionToken = ''] = cookie.split('=');
  const session = { accountId: account.id, sessionToken };
  const app = { db: server.db, outbox: server.outbox, allowances: { eventLimit: 0 } };
  const signOn = createSignOn({
    OIDC_ISSUER: user.issuer,
    OIDC_NAME: 'Acme ID',
    OIDC_ALLOWED_GROUPS: [],
    OIDC_ALLOWED_DOMAINS: [],
    REGISTRATION: 'invite',
  })!;
  await linkIdentity(app, session, user, signOn);
  await signOn.close();
  const subject = 'Subject: Acme ID was linked to @linked-owner at names.example';
  await expectMail('linked@example.com', subject);
});

it('operators get one mail an hour about members who left the group', async () => {
  const operator = await createOperator(server);
  await server.sql`INSERT INTO forwarding_settings (account_id, login_email)
    VALUES (${operator.id}, 'operator@example.com')
    ON CONFLICT (account_id) DO UPDATE SET login_email = excluded.login_email`;
  const options = { provider: 'Acme ID', suspends: false };
  const leave = async (name: string) => {
    const { id: account_id } = await createAccountWithAddress(name, `${name}@example.com`);
    const [identity] = await server.sql<{ id: string }>`
      INSERT INTO identities (account_id, issuer, subject, scope)
      VALUES (${account_id}, 'https://id.example.org', ${name}, 'operator') RETURNING id`;
    const leaver = { id: identity!.id, account_id };
    for (const _ of ['new', 'known'])
      await inTransaction(server.db, (trx) => recordLeaver(trx, server.nameplate, leaver, options));
  };
  // Mails about operators have a limit of their own.
  await server.sql`INSERT INTO owner_mails (kind, account_id, address_hash)
    SELECT 'operator', ${operator.id}::uuid, sha256('operator@example.com')
    FROM generate_series(1, 5)`;
  await leave('leaver');
  await expectMail('operator@example.com', 'Subject: @leaver left the group at Acme ID');
  await leave('second-leaver');
  await leave('third-leaver');
  const waiting = () => server.sql`SELECT data->>'member' AS member FROM pgboss.job
    WHERE data->>'kind' = 'leaver' AND data->>'accountId' = ${operator.id} AND state = 'created'`;
  expect(await waiting()).toEqual([{ member: 'third-leaver' }]);
  await server.sql`UPDATE pgboss.job SET start_after = now() WHERE data->>'kind' = 'leaver'`;
  const source = await expectMail('operator@example.com', 'Subject: @third-leaver left the group');
  expect(source).toContain('3 members are marked as having left the group.');
  await server.sql`DELETE FROM operators WHERE account_id = ${operator.id}`;
});

it('a suspended member is mailed the reason, also instead of a login link', async () => {
  const operator = await createOperator(server);
  const { id } = await createAccountWithAddress('suspended', 'suspended@example.com');
  const body = { account_id: id, reason: 'Ads for https://shop.example' };
  const session = await logIn(server, operator.id);
  const post = (path: string, json: object) =>
    postFromPage(server, `/owner/${path}`, json, session);
  /** The mail waits for some seconds. */
  const suspend = async (json: object) => {
    await post('members/suspend-member', json);
    await server.sql`UPDATE pgboss.job SET start_after = now()
      WHERE state = 'created' AND data->>'kind' = 'suspension'`;
  };
  await suspend(body);
  const subject = 'Subject: Your account @suspended was suspended';
  expect(await expectMail('suspended@example.com', subject)).toContain(
    '> Ads for https://shop.example\r\n',
  );
  const instance = { contact: 'office@example.org' };
  await post('server/update-instance', instance);
  await mailLoginLinks(server.db, server.outbox, 'suspended@example.com');
  const again = (await waitForMails(2))[1]?.source;
  expect(again).toContain('> Ads for');
  expect(again).toContain('Write to office@example.org');
  await post('members/resume-member', { account_id: id });
  expect((await waitForMails(3))[2]?.source).toContain('works again');
  const pageOnly = { ...body, page_only: true };
  await post('members/suspend-member', pageOnly);
  await post('members/resume-member', { account_id: id });
  // Undoing a suspension does not cancel the mail about the page, which stays hidden.
  await post('members/suspend-member', pageOnly);
  await post('members/suspend-member', body);
  await post('members/resume-member', { account_id: id });
  await suspend(pageOnly);
  expect((await waitForMails(4))[3]?.source).toMatch(/Your page @suspended was hidden/);
  await post('members/resume-member', { account_id: id });
  expect((await waitForMails(5))[4]?.source).toContain('no longer hidden');
});

it('operators with a confirmed address are mailed about reports, at most once an hour', async () => {
  const operator = await createAccountWithAddress('op-one', 'operator@example.com');
  const otherAccount = await server.createAccount();
  for (const { id } of [operator, otherAccount])
    await server.db.insertInto('operators').values({ account_id: id }).execute();
  await createPage(server, {}, 'bad-page');
  const enqueue = vi.spyOn(server.outbox, 'mailOwner');
  const sendReport = async (text: string) =>
    (await postForm(server, '/@bad-page/report', { reason: 'scam', text })).statusCode;
  expect(await sendReport('Sign in at https://evil.example')).toBe(200);
  const subject = 'Subject: A page was reported at names.example.org';
  const source = await expectMail('operator@example.com', subject);
  expect([await sendReport('two'), await sendReport('three')]).toEqual([200, 200]);
  expect(source).toContain('/dashboard/operator/reports');
  expect(source).toMatch(/Reason: Scam or phishing\r?\nMessage: Sign in at/);
  expect(source).toContain('<a href="https://names.example.org/@bad-page">https://names.');
  expect(source).toMatch(/[123] reports? (is|are) open/);
  const report = { page: 'bad-page', reason: 'scam', text: '' } as const;
  await inTransaction(server.db, (trx) => mailOperators(trx, server.outbox, reportMail, report));
  // Later reports come in one mail at the end of the hour. Each is queued after its response.
  const { length: operators } = await listOperators(server.db);
  await eventually(
    () => enqueue.mock.settledResults.filter(({ type }) => type === 'fulfilled'),
    ({ length }) => length === 4 * operators,
  );
  await eventually(
    () => server.sql`UPDATE pgboss.job SET start_after = now() WHERE start_after > now()`,
    () => mailServer.received.length > 1,
  );
  await waitUntilAllSent();
  expect(mailServer.received).toHaveLength(2);
});

it("a key of scope `all` changes everything about an operator's address, but replaces no confirmed one", async () => {
  const operator = await createOperator(server, 'first-op');
  const { api_key: key } = await operator.owner.keys.createKey({});
  const readScope = () =>
    server.sql`SELECT forwarding_email AS email, login_email, email_scope AS scope
      FROM forwarding_settings WHERE account_id = ${operator.id}`;
  const set = async (json: object, credential = key!) =>
    send(server, { key: credential }, 'POST /email-forwarding/email-forwarding-toggle', json);
  const [email, other] = ['op@inbox.org', 'other@inbox.org'];
  const refused = {
    ...errorText(
      403,
      'Replacing the confirmed address of an operator needs operator rights: log in to the dashboard with a link or passkey, or use a key with the scope operator.',
    ),
    headers: { 'x-error-code': 'confirmedAddressProtected' },
  };
  for (const json of [
    { enabled: true, email: other },
    { enabled: true, email },
  ])
    expect(await set(json)).toMatchObject({ status: 200 });
  expect(await readScope()).toEqual([{ email, login_email: null, scope: 'all' }]);
  await set({ enabled: true, email }, operator.key);
  await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true`;
  for (const json of [{ enabled: false }, { enabled: true }, { enabled: true, email }])
    expect(await set(json)).toMatchObject({ status: 200 });
  for (const enabled of [true, false])
    expect(await set({ enabled, email: other })).toMatchObject(refused);
  expect(await readScope()).toEqual([{ email, login_email: null, scope: 'operator' }]);
  // After a name change, the address still gets the login links.
  await server.rename(operator, 'second-op');
  expect(await set({ enabled: true, email: other })).toMatchObject(refused);
  await server.sql`UPDATE forwarding_destinations SET confirmed_at = now()`;
  expect(await set({ enabled: true, email })).toMatchObject({ status: 200 });
  expect(await readScope()).toEqual([{ email, login_email: email, scope: 'operator' }]);
  // An address that the account confirmed earlier would replace the current one at once.
  await server.sql`INSERT INTO forwarding_destinations (account_id, address_hash, confirmed_at)
    VALUES (${operator.id}, sha256(${other}), now())`;
  expect(await set({ enabled: true, email: other })).toMatchObject(refused);
  expect(await set({ enabled: true, email: other }, operator.key)).toMatchObject({ status: 200 });
});

it('an operator is mailed about a login link that another one created', async () => {
  const operator = await server.createAccount();
  const { id } = await createAccountWithAddress('lost-op', 'lost-op@example.com');
  await makeOperator(server, operator);
  await makeOperator(server, { id });
  const session = await logIn(server, operator.id);
  await postFromPage(server, '/owner/members/create-login-link', { account_id: id }, session);
  await expectMail('lost-op@example.com', 'An operator created a login link for your account');
});

it('an invitation to keep an account is mailed, with a token that others can only read', async () => {
  const keeper = await createAccountWithAddress('jonas', 'jonas@example.com');
  const club = await server.createNamedAccount('rowing-club');
  const invite = { display_name: 'jonas' };
  await send(server, club, 'POST /owner/keepers/invite-keeper', invite);
  const source = await expectMail('jonas@example.com', 'Look after @rowing-club together?');
  expect(source).toContain('Subject: @rowing-club asks you to help with @rowing-club');
  const invitation_url = /keep#[\w-]{43}/.exec(source.replaceAll(/=\r\n/g, ''))![0];
  const read = 'POST /owner/keepers/get-keeper-invitation';
  const other = await server.createAccount();
  for (const account of [keeper, other])
    expect(await send(server, account, read, { invitation_url })).toMatchObject(
      okBody({
        invitation: { account: { id: club.id } },
        keeper: { id: keeper.id },
      }),
    );
  const unknown = { invitation_url: createToken() };
  expect(await send(server, other, read, unknown)).toMatchObject({ status: 404 });
  const files = await server.sql`SELECT token_hash FROM keeper_invitations`;
  expect(files).toEqual([{ token_hash: hashToken(invitation_url.split('#')[1]!) }]);
});

it('members whom an operator names for a new account are mailed that they keep it', async () => {
  await createAccountWithAddress('helga', 'helga@example.com');
  const operator = await createOperator(server);
  const created = { display_name: 'Sailing Team', keepers: ['helga'] };
  const { member } = await operator.owner.members.createMember(created);
  const source = await expectMail('helga@example.com', 'You look after @sailing-team now');
  expect(source.replaceAll(/=\r\n/g, '')).toContain(
    `https://names.example.org/dashboard/for/${member.id}/`,
  );
});

it('mail about an account does not use up the limit of its keepers, and no keeper gets what its page receives', async () => {
  const owner = await createAccountWithAddress('nils', 'nils@example.com', false);
  const keeper = await createAccountWithAddress('olga', 'olga@example.com');
  const club = await createAccountWithAddress('rowers', 'rowers@example.com');
  await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${club.id}, ${owner.id}, true), (${club.id}, ${keeper.id}, false)`;
  await server.sql`DELETE FROM owner_mails`;
  const suspend = (accountId: string) =>
    inTransaction(server.db, (trx) =>
      server.outbox.mailOwner(trx, resumptionMail, { accountId, pageOnly: false }),
    );
  const results = [];
  for (const { id } of [...Array<TestAccount>(6).fill(club), keeper])
    results.push(await suspend(id));
  expect(results).toEqual([true, true, true, true, true, false, true]);
  const message = { page: '', name: '', email: 'guest@example.com', message: 'Hi', answers: [] };
  await waitUntilNoMailIsDue(server.db);
  mailServer.received.length = 0;
  const isSent = await inTransaction(server.db, (trx) =>
    server.outbox.mailOwner(trx, visitorMessageMail, { accountId: club.id, message }),
  );
  expect(isSent).toBe(true);
  await expectMail('rowers@example.com', 'guest@example.com');
});

it('mail about an account goes to all who keep it, and no login link to anybody', async () => {
  const owner = await createAccountWithAddress('mira', 'mira@example.com');
  const keeper = await createAccountWithAddress('kim', 'kim@example.com');
  const suspended = await createAccountWithAddress('pia', 'pia@example.com');
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${suspended.id}`;
  const club = await createAccountWithAddress('club', 'old@example.com');
  await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${club.id}, ${owner.id}, true), (${club.id}, ${keeper.id}, false),
      (${club.id}, ${suspended.id}, false)`;
  await send(server, club, 'POST /owner/keys/create-key', { label: 'x', scope: 'read' });
  const mails = await waitForMails(2);
  expect(mails.map(({ to }) => to).toSorted()).toEqual([['kim@example.com'], ['mira@example.com']]);
  for (const { source } of mails)
    expect(source.replaceAll(/=\r\n/g, '')).toContain(
      `https://names.example.org/dashboard/for/${club.id}/keys`,
    );
  mailServer.received.length = 0;
  await mailLoginLinks(server.db, server.nameplate.outbox, 'old@example.com');
  await waitUntilNoMailIsDue(server.db);
  expect(mailServer.received).toEqual([]);
});

it('whom an account is handed over to gets a mail about it', async () => {
  const keeper = await createAccountWithAddress('johanna', 'johanna@example.com');
  const club = await createAccountWithAddress('quartet', 'quartet@example.com');
  await server.sql`INSERT INTO keepers (account_id, keeper_id) VALUES (${club.id}, ${keeper.id})`;
  await send(server, club, 'POST /owner/keepers/transfer-account', { account_id: keeper.id });
  const [{ to, source } = { to: [], source: '' }] = await waitForMails(1);
  expect(to).toEqual(['johanna@example.com']);
  expect(source).toContain('Subject: @johanna owns @quartet now');
  expect(source.replaceAll(/=\r\n/g, '')).toContain(`/dashboard/for/${club.id}`);
});

it('a login form tells no keeper that the account is suspended', async () => {
  const keeper = await createAccountWithAddress('lea', 'lea@example.com');
  const club = await createAccountWithAddress('choir', 'choir@example.com');
  await server.sql`INSERT INTO keepers (account_id, keeper_id) VALUES (${club.id}, ${keeper.id})`;
  await server.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${club.id}`;
  await mailLoginLinks(server.db, server.outbox, 'choir@example.com');
  await waitUntilNoMailIsDue(server.db);
  expect(mailServer.received.map(({ to }) => to)).toEqual([['choir@example.com']]);
});

it('an address that the account shares with a keeper gets mail about it once', async () => {
  const club = await createAccountWithAddress('shared-team', 'team@example.com');
  const ids = [];
  for (const [name, email] of [
    ['first-of-team', 'team@example.com'],
    ['second-of-team', 'second@example.com'],
    ['third-of-team', 'Second@example.com'],
  ] as const)
    ids.push((await createAccountWithAddress(name, email)).id);
  await server.sql`INSERT INTO keepers (account_id, keeper_id)
    SELECT ${club.id}, unnest(${ids}::uuid[])`;
  await send(server, club, 'POST /owner/keys/create-key', { label: 'x', scope: 'read' });
  await waitUntilNoMailIsDue(server.db);
  const links = mailServer.received.map(({ to: [to], source }) => [
    to!.toLowerCase(),
    source.replaceAll(/=\r\n/g, '').includes('/dashboard/for/'),
  ]);
  expect(links.toSorted()).toEqual([
    ['second@example.com', true],
    ['team@example.com', false],
  ]);
});

it('while keepers are left out, mail goes to the account or its owner', async () => {
  const owner = await createAccountWithAddress('tom', 'tom@example.com');
  const keeper = await createAccountWithAddress('ida', 'ida@example.com');
  const [own, owned] = [
    await createAccountWithAddress('orchestra', 'orchestra@example.com'),
    await createAccountWithAddress('band', 'band@example.com'),
  ];
  await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${own.id}, ${keeper.id}, false), (${owned.id}, ${owner.id}, true),
      (${owned.id}, ${keeper.id}, false)`;
  const settings = { FEATURES_OFF: ['keepers' as const], UNCONFIRMED_MAILS_PER_HOUR: 0 };
  const outbox = createOutbox(server.jobs, settings, { current: {} });
  await inTransaction(server.db, async (trx) => {
    for (const { id: accountId } of [own, owned])
      await outbox.mailOwner(trx, resumptionMail, { accountId, pageOnly: false });
  });
  await waitUntilNoMailIsDue(server.db);
  const addresses = mailServer.received.map(({ to }) => to[0]);
  expect(addresses.toSorted()).toEqual(['orchestra@example.com', 'tom@example.com']);
});

it('the documentation says of every mail about an account who gets it', async () => {
  const text = await readFile(new URL('../../docs/keepers.md', import.meta.url), 'utf8');
  const rows = text.split('## Who gets which mail')[1]!.matchAll(/^\| (`.*`) +\| (.*?) +\|$/gm);
  const documented = Array.from(rows, ([, kinds = '', to]) => [
    to,
    Array.from(kinds.matchAll(/[\w-]+/g), String).toSorted(),
  ]);
  const mails = Array.from(server.nameplate.features.mails.values()) as Partial<OwnerMail>[];
  const sentTo = (to: OwnerMail['to']) =>
    mails
      .filter((mail) => mail.to === to)
      .map(({ kind }) => kind)
      .toSorted();
  expect(documented).toEqual([
    ['the owner and all keepers who are not suspended', sentTo('keepers')],
    ['the person whose login, passkey or invitation it is', sentTo('person')],
    ['where mail to the account goes', sentTo('inbox')],
    ['the former and the new address', [changeMail.kind, confirmationMail.kind]],
    ['the address of the account', [memberMessageMail.kind, officialNoticeMail.kind]],
    ['the operators', sentTo('operators')],
  ]);
});
