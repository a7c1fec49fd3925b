import { afterEach, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { deleteExpired } from '#db/queries/expired-rows.ts';
import { insertOperator } from '#db/queries/operators.ts';
import { mailLoginLinks } from '#server/features/sessions/login-mail.ts';
import { call, send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { createSession, logIn } from '../support/session.ts';
import type { TestAccount } from '../support/test-app.ts';
import { type FakeImprovmx, startFakeImprovmx } from './fake-improvmx.ts';
import { type ForwardingApp, startForwardingApp } from './forwarding-app.ts';
import {
  waitUntilMailsSent,
  type MailServer,
  SMTP_PASSWORD,
  startMailServer,
} from './mail-server.ts';

const PUBLIC_URL = 'https://names.example.org';

let mailServer: MailServer;
let fake: FakeImprovmx;
let server: ForwardingApp;
beforeEach(async () => {
  mailServer = await startMailServer();
  fake = await startFakeImprovmx();
  server = await startApp();
});
afterEach(async () => {
  await server.close();
  await Promise.all([fake.close(), mailServer.close()]);
});

function startApp(settings: Record<string, string> = {}, url?: string): Promise<ForwardingApp> {
  return startForwardingApp({
    fake,
    ...(url !== undefined && { url }),
    settings: { SMTP_URL: mailServer.url, PUBLIC_URL, ...settings },
  });
}

const waitForMails = (count: number) =>
  eventually(
    () => mailServer.received,
    ({ length }) => length === count,
  );

/** Waits until this many emails have arrived. Returns the path of the last link in them. */
async function waitForLink(count: number): Promise<string> {
  const mails = await waitForMails(count);
  const links = mails.flatMap(({ source }) => /https:\S+\/confirm\/[\w-]{43}\b/.exec(source) ?? []);
  const link = links.at(-1) ?? '';
  expect(link).toContain(`${PUBLIC_URL}/confirm/`);
  return link.slice(PUBLIC_URL.length);
}

async function visit(path: string, method: 'GET' | 'POST' = 'GET') {
  const { statusCode: status, payload: html } = await server.app.inject({
    method,
    url: path,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    }),
  });
  return { status, title: /<title>(.*)<\/title>/.exec(html)?.[1], html };
}

const INVALID = {
  status: 404,
  title: 'This link is no longer valid.',
  html: expect.stringContaining('was replaced by a newer mail.') as string,
};

/** The name's forwarding state, and its destination in the Postfix view and at the provider. */
async function readDestination(name: string) {
  await server.waitUntilSynced();
  const state = (await server.forwarding.list()).find((item) => item.name === name);
  const [row] = await server.sql<{ destination: string }>`SELECT destination FROM postfix_aliases
    WHERE name = ${name}`;
  return { stage: state?.stage, view: row?.destination, provider: fake.aliases.get(name) };
}

const WAITING = { stage: 'waits for confirmation', view: undefined, provider: undefined };
const forwardsTo = (email: string) => ({ stage: 'settled', view: email, provider: email });

async function readForwarding(account: TestAccount) {
  return (await send(server, account, 'GET /owner/forwarding/get-forwarding')).body;
}

function enableForwarding({ client }: TestAccount, email?: string) {
  return client.emailForwarding.emailForwardingToggle({ enabled: true, ...(email && { email }) });
}

it('a destination gets no mail until its owner confirms with the button on the mailed page', async () => {
  const account = await server.createNamedAccount('jane');
  expect(await enableForwarding(account, 'jane@example.com')).toEqual({
    success: true,
    message:
      'Mail to jane@nameplate.example will be forwarded to jane@example.com once its owner confirms that.',
    enabled: true,
    email: 'jane@example.com',
  });
  const link = await waitForLink(1);
  expect(mailServer.received).toMatchObject([
    { from: 'no-reply@nameplate.example', to: ['jane@example.com'] },
  ]);
  const { source } = mailServer.received[0]!;
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(source).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply\r$/m);
  expect(source).toContain('Subject: Confirm your email address at names.example.org\r\n');
  expect(source).toContain(
    'Confirm this address to get the mail to jane@nameplate.example and login links for names.example.org.',
  );
  expect(await readDestination('jane')).toEqual(WAITING);

  // Security scanners open links, so opening one must not confirm the address.
  for (const method of ['GET', 'GET'] as const)
    expect(await visit(link, method)).toMatchObject({
      status: 200,
      title: 'Confirm your address',
      html: expect.stringContaining(
        '<form method="post"><button class="primary">Confirm address</button></form>',
      ) as string,
    });
  expect((await visit(link, 'GET')).html).toContain('will go to jane@example.com.');
  expect((await server.app.inject({ method: 'HEAD', url: link })).statusCode).toBe(200);
  expect(await readDestination('jane')).toEqual(WAITING);

  expect(await visit(link, 'POST')).toMatchObject({ status: 200, title: 'Address confirmed' });
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
  for (const method of ['GET', 'POST'] as const)
    expect(await visit(link, method)).toMatchObject(INVALID);
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
});

it('a destination gets the mail and the login links until another address is confirmed, also if that never happens', async () => {
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  await visit(await waitForLink(1), 'POST');
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
  const history = [...fake.history];
  expect(await enableForwarding(account, 'typo@example.com')).toMatchObject({
    message:
      'Mail to jane@nameplate.example will be forwarded to typo@example.com once its owner confirms that. Until then, it is forwarded to jane@example.com.',
    ...{ enabled: true, email: 'typo@example.com' },
  });
  const notice = (await waitForMails(3)).find(
    ({ to, source }) => to.includes('jane@example.com') && !source.includes('/confirm/'),
  );
  expect(notice!.source).toContain('Subject: A new email address for your account at ');
  expect(notice!.source).toContain(
    'Until that address is confirmed, login links and mail to jane@nameplate.example still go to jane@example.com. Afterwards, jane@example.com gets nothing more for this account, not even another notice.',
  );
  expect(notice!.source).not.toMatch(/typo@|\/confirm\//);
  expect(await readForwarding(account)).toMatchObject({
    ...{ enabled: true, email: 'jane@example.com', confirmed: true, stage: 'settled' },
    ...{ login_email: 'jane@example.com', pending_email: 'typo@example.com' },
  });
  await server.sql`UPDATE pending_emails SET expires_at = now()`;
  expect(await visit(await waitForLink(3), 'POST')).toMatchObject(INVALID);
  expect(await readForwarding(account)).toMatchObject({
    ...{ email: 'jane@example.com', pending_email: null, pending_expires_at: null },
  });
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
  expect(fake.history).toEqual(history);
  expect(await enableForwarding(account)).toMatchObject({ email: 'jane@example.com' });
  await deleteExpired(server.db, 'pending_emails');
  expect(await readForwarding(account)).toMatchObject({ email: 'jane@example.com' });
});

it('a destination is replaced by another address without a gap when that is confirmed, also after a restart of the server and the provider', async () => {
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  await visit(await waitForLink(1), 'POST');
  await server.waitUntilSynced();
  await server.enableForwarding(account, 'new@example.com');
  const link = await waitForLink(3);
  await server.close();
  server = await startApp({}, server.database.url);
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
  fake.faultFor = () => ({ kind: 'disconnect' });
  expect(await visit(link, 'POST')).toMatchObject({ status: 200 });
  await eventually(() => expect(server.warnings).not.toEqual([]));
  fake.faultFor = () => undefined;
  expect(await readDestination('jane')).toEqual(forwardsTo('new@example.com'));
  // The provider never removed the alias. It may store the same one twice.
  expect(new Set(fake.history.map(([, destination]) => destination))).toEqual(
    new Set(['jane@example.com', 'new@example.com']),
  );
});

it('a destination is notified when the display name changes, but not if it was never confirmed', async () => {
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  const link = await waitForLink(1);
  await server.rename(account, 'jane-2');
  expect(await visit(link, 'POST')).toMatchObject(INVALID);
  await server.enableForwarding(account, 'jane@example.com');
  await visit(await waitForLink(2), 'POST');
  await server.rename(account, 'jane-3');
  await waitForMails(3);
  expect(mailServer.received.at(-1)!.source).toContain('jane-2@nameplate.example');
});

it('a destination is confirmed only by the newest link, within a day, and only while the account still uses it', async () => {
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  const first = await waitForLink(1);
  await server.enableForwarding(account);
  const second = await waitForLink(2);
  expect(await visit(first, 'POST')).toMatchObject(INVALID);
  await server.enableForwarding(account, 'other@example.com');
  const third = await waitForLink(3);
  expect(await visit(second, 'POST')).toMatchObject(INVALID);
  await server.sql`UPDATE forwarding_destinations SET token_expires_at = now()
      WHERE token_hash IS NOT NULL`;
  expect(await visit(third, 'POST')).toMatchObject(INVALID);
  expect(await readDestination('jane')).toEqual(WAITING);
});

it('a destination gets at most five mails an hour from all accounts together', async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await server.createForwardedAccount(name, `${name === 'one' ? 'J' : 'j'}ane@example.com`);
  const account = await server.createNamedAccount('six');
  const enable = () => server.enableForwarding(account, 'jane@example.com');
  await expect(enable()).rejects.toMatchObject({ status: 503, code: 'mailLimitReached' });
  await waitForMails(5);
  await server.sql`UPDATE owner_mails SET created_at = now() - interval '1 hour'`;
  await enable();
  await waitForMails(6);
});

it('a destination gets at most three mails a day, however often forwarding is turned on', async () => {
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  for (const count of [1, 2, 3]) {
    await waitForMails(count);
    await server.enableForwarding(account);
  }
  for (let repeat = 0; repeat < 5; repeat += 1) await server.enableForwarding(account);
  await waitForMails(3);
  const sendAgain = server.enableForwarding(account, 'jane@example.com');
  await expect(sendAgain).rejects.toMatchObject({ code: 'forwardingAddressLimitReached' });
  await server.sql`UPDATE forwarding_destinations SET mail_count_since = mail_count_since - interval '1 day'`;
  await server.enableForwarding(account);
  await visit(await waitForLink(4), 'POST');
  expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
});

it('a destination stored before SMTP_URL was set keeps getting mail, but no login links or notices until its owner confirms', async () => {
  await server.close();
  server = await startForwardingApp({ fake });
  const account = await server.createForwardedAccount('jane', 'jane@example.com');
  const expectState = async (confirmed: boolean | null) => {
    expect(await readForwarding(account)).toMatchObject({ confirmed });
    expect(await readDestination('jane')).toEqual(forwardsTo('jane@example.com'));
  };
  await expectState(null);
  await server.close();
  server = await startApp({}, server.database.url);
  const requestLoginLink = () => mailLoginLinks(server.db, server.outbox, 'jane@example.com');
  await requestLoginLink();
  await send(server, account, 'POST /owner/keys/create-key', {});
  expect(await server.sql`SELECT FROM owner_mails`).toEqual([]);
  await expectState(false);
  const toggle = 'POST /email-forwarding/email-forwarding-toggle';
  await send(server, account, toggle, { enabled: true });
  const link = await waitForLink(1);
  await requestLoginLink();
  await expectState(false);
  expect(await visit(link, 'POST')).toMatchObject({ status: 200 });
  await expectState(true);
  await requestLoginLink();
  const mails = await waitForMails(2);
  expect(mails[1]!.source).toContain('Subject: Your login link for jane');
});

it('an address set by a key of scope `all` gets no login links of an operator until it is entered again', async () => {
  const account = await server.createNamedAccount('jane');
  await server.sql`UPDATE forwarding_settings SET login_email = 'first@example.com'`;
  await enableForwarding(account, 'jane@example.com');
  await visit(await waitForLink(2), 'POST');
  const requestLoginLink = async () => {
    await mailLoginLinks(server.db, server.outbox, 'jane@example.com');
    await waitUntilMailsSent(server.db);
    return mailServer.received.flatMap(({ source }) => /login#([\w-]{43})/.exec(source)?.[1] ?? []);
  };
  const [link] = await requestLoginLink();
  await inTransaction(server.db, (trx) => insertOperator(trx, account.id));
  expect((await createSession(server, { login_url: link })).status).toBe(401);
  expect(await requestLoginLink()).toHaveLength(1);

  const headers = await logIn(server, account.id);
  const { body } = await call(server.app, { path: '/owner/forwarding/get-forwarding', headers });
  expect(body).toMatchObject({ confirmed: true, login_email: null });
  const enter = async (email: string) => {
    const path = '/email-forwarding/email-forwarding-toggle';
    const json = { enabled: true, email };
    expect(await call(server.app, { method: 'POST', path, headers, json })).toMatchObject({
      status: 200,
    });
    return requestLoginLink();
  };
  // The former address would get links until this one is confirmed.
  expect(await enter('new@example.com')).toHaveLength(1);
  expect(await enter('jane@example.com')).toHaveLength(2);
});

it('a mail server that is unreachable does not fail requests, and gets the mail when it is back', async () => {
  const { port } = new URL(mailServer.url);
  await mailServer.close();
  const account = await server.createForwardedAccount('jane', 'first@example.com');
  await eventually(() => expect(server.warnings).not.toEqual([]));
  // A canceled confirmation request is not sent later either.
  await server.enableForwarding(account, 'second@example.com');
  expect(await server.rename(account, 'jane-2')).toMatchObject({ status: 200 });
  await server.enableForwarding(account, 'jane@example.com');
  await eventually(async () =>
    expect(await server.findMailFinding()).toMatchObject({
      level: 'error',
      text: expect.stringMatching(/^1 mail waits .* The mail server does not answer\./),
    }),
  );
  mailServer = await startMailServer(Number(port));
  const link = await eventually(() => waitForLink(1));
  await visit(link, 'POST');
  expect(await readDestination('jane-2')).toEqual(forwardsTo('jane@example.com'));
  expect(mailServer.received.map(({ to }) => to)).toEqual([['jane@example.com']]);
});

it('a mail server that permanently rejects an address gets no retry', async () => {
  mailServer.refusal = { code: 550, text: 'no jane@example.com here' };
  const { id: accountId } = await server.createForwardedAccount('jane', 'jane@example.com');
  await eventually(() =>
    expect(server.warnings).toEqual([{ kind: 'confirmation', accountId, code: 'EENVELOPE 550' }]),
  );
  await waitUntilMailsSent(server.db);
  expect(await server.findMailFinding()).toMatchObject({ code: 'mailSet' });
});

it('only the mail contains the link, and no log or job contains the address or the SMTP password', async () => {
  const { port } = new URL(mailServer.url);
  const SMTP_URL = `smtp://nameplate:wrong%2Bcanary@127.0.0.1:${port}`;
  const misconfigured = await startApp({ SMTP_URL });
  const account = await misconfigured.createForwardedAccount('jill', 'jill@example.com');
  await eventually(() =>
    expect(misconfigured.warnings[0]).toMatchObject({ accountId: account.id, code: 'EAUTH 535' }),
  );
  expect(JSON.stringify(await misconfigured.findMailFinding())).not.toMatch(/canary|jill@example/);
  const readTablesAndLogs = async (app: ForwardingApp) => {
    const rows = await app.sql`
      SELECT to_jsonb(job) AS row FROM pgboss.job
      UNION ALL SELECT to_jsonb(destination) FROM forwarding_destinations AS destination
      UNION ALL SELECT to_jsonb(stored) FROM idempotency_keys AS stored`;
    return JSON.stringify([rows, app.log, app.warnings]);
  };
  await misconfigured.rename(account, 'jill-2');
  expect(await readTablesAndLogs(misconfigured)).not.toMatch(/canary|jill@example/);
  await misconfigured.close();

  await server.createForwardedAccount('jane', 'jane@example.com');
  const link = await waitForLink(1);
  await visit(link);
  await visit(link, 'POST');
  await readDestination('jane');
  const tablesAndLogs = await readTablesAndLogs(server);
  expect(tablesAndLogs).not.toContain(link.slice('/confirm/'.length));
  expect(JSON.stringify([server.log, server.warnings])).not.toContain('jane@example.com');
  expect(tablesAndLogs).not.toContain(SMTP_PASSWORD);
});
