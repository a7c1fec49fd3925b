import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { beforeAll, beforeEach, afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { passkeyMail } from '#server/features/passkeys/passkey-mail.ts';
import { createSecretBox } from '#server/platform/secrets/secret-box.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { type MailServer, SMTP_PASSWORD, startMailServer } from '../forwarding/mail-server.ts';
import { call } from '../support/call.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { errorCode } from '../support/expected-responses.ts';
import { logIn, postFromPage } from '../support/session.ts';
import { openTestApp, startTestApp, type TestApp } from '../support/test-app.ts';

const HOST = 'mail.example.org';
const FORM = {
  ...{ host: HOST, port: 465, user: 'nameplate', password: SMTP_PASSWORD },
  ...{ sender: 'office@example.org', email: 'jane@example.net' },
};
const NONE = { mail_server: null, pending: null, waiting: 0, obstacle: null };

let mailServer: MailServer;
const OPTIONS = {
  ...{ SMTP_URL: undefined, MAIL_FROM: undefined, PUBLIC_URL: 'https://names.example.org' },
  // Finds the mail server at every host name and port.
  resolveMailServer: async () => ({
    ...{ host: '127.0.0.1', port: Number(new URL(mailServer.url).port) },
    ...(mailServer.ca !== undefined && { ca: mailServer.ca }),
  }),
};
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp(OPTIONS);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('unconfirmed_mails').execute();
  await inTransaction(server.db, (trx) =>
    saveInstance(trx, { encrypted_mail_server: null, encrypted_pending_mail_server: null }),
  );
  await server.nameplate.mailServers.refresh();
});

async function openMailServer(options = {}) {
  mailServer = await startMailServer(undefined, { secure: true, name: HOST, ...options });
  onTestFinished(() => mailServer.close());
}

async function signInAt(app = server) {
  const operator = await createOperator(app);
  const headers = await logIn(app, operator.id);
  const post = (name: string, json: object = {}) =>
    postFromPage(app, `/owner/server/${name}-mail-server`, json, headers);
  const get = async (path: string) =>
    (await call(app.app, { path: `/owner/server/${path}`, headers })).body;
  return {
    ...{ post, get, headers },
    check: (json: object = {}) => post('check', { ...FORM, ...json }),
    read: () => get('get-mail-server'),
    readFindings: async () => (await get('get-server')) as { setup: { code: string }[] },
  };
}

const readCode = () => /: (\d{6})/.exec(mailServer.received.at(-1)!.source)![1]!;

async function connect() {
  await openMailServer();
  const operator = await signInAt();
  await operator.check();
  expect((await operator.post('update', { code: readCode() })).status).toBe(200);
  return operator;
}

it('a mail server is stored once the code of its test mail was entered, and its password stays secret', async () => {
  await openMailServer();
  const { check, post, read, readFindings } = await signInAt();
  expect(await read()).toEqual(NONE);
  expect((await check()).body).toMatchObject({ mail_server: null, pending: { host: HOST } });
  expect(mailServer.received).toMatchObject([{ from: FORM.sender, to: [FORM.email] }]);
  expect([server.outbox.isAvailable, server.nameplate.signUps.isOpen]).toEqual([false, false]);
  const wrong = readCode() === '000000' ? '000001' : '000000';
  expect(await post('update', { code: wrong })).toMatchObject(errorCode(400, 'mailCodeWrong'));
  const { email: _email, password: _password, ...shown } = FORM;
  expect((await post('update', { code: readCode() })).body).toEqual({
    ...NONE,
    mail_server: { source: 'dashboard', readable: true, ...shown },
  });
  expect([server.outbox.isAvailable, server.nameplate.signUps.isOpen]).toEqual([true, true]);
  expect((await readFindings()).setup).toContainEqual(
    expect.objectContaining({ code: 'mailSet', value: FORM.sender }),
  );
  const audited = await server.sql`SELECT action, detail FROM audit_log`;
  expect(audited).toMatchObject([
    { action: 'server.checkMailServer', detail: { host: HOST, result: 'accepted' } },
    { action: 'server.updateMailServer', detail: { host: HOST } },
  ]);
  const stored = await server.sql`SELECT encode(encrypted_mail_server, 'escape') FROM instance`;
  const keys = await server.sql`SELECT * FROM idempotency_keys`;
  expect(JSON.stringify([audited, stored, server.log])).not.toContain(SMTP_PASSWORD);
  expect(keys).toEqual([]);
});

const INVALID = { code: 553, text: 'not yours' };
it.each<
  [
    code: string,
    field: string | undefined,
    form: object,
    options?: object,
    refusal?: MailServer['refusal'],
  ]
>([
  ['mailLoginRefused', 'password', { password: 'wrong' }],
  ['mailSenderRefused', 'sender', {}, {}, { ...INVALID, ofSender: true }],
  ['mailSenderRefused', 'sender', {}, {}, { ...INVALID, text: 'Sender address rejected' }],
  ['mailRecipientRefused', 'email', {}, {}, { code: 550, text: 'no such user' }],
  ['mailNotAccepted', undefined, {}, {}, { code: 451, text: 'Greylisted' }],
  ['mailNotAccepted', undefined, {}, {}, { code: 450, text: 'too much mail', ofSender: true }],
  ['mailServerUnreachable', 'host', {}, { name: 'other.example.org' }],
  [
    ...(['mailServerUnreachable', 'host', { port: 587 }] as const),
    { secure: false, startTls: true, name: 'other.example.org' },
  ],
  ['mailServerUnreachable', 'host', {}, { secure: false }],
  ['mailServerUnreachable', 'host', { port: 587 }, { secure: false }],
  ['mailHostInvalid', 'host', { host: 'mail.example.org\r\nQUIT' }],
  ['mailUserInvalid', 'user', { user: 'a\r\nRCPT TO:<b@example.org>' }],
  ['mailSenderInvalid', 'sender', { sender: 'a@example.org>\r\nDATA' }],
  ['mailPortInvalid', 'port', { port: 5432 }],
  ['mailPasswordMissing', 'password', { password: undefined }],
])('%s names the field %s, and nothing is stored', async (code, field, form, options, refusal) => {
  await openMailServer(options);
  mailServer.refusal = refusal;
  const { check, read } = await signInAt();
  const response = await check(form);
  expect(response).toMatchObject(errorCode(400, code));
  expect(response.headers['x-error-field']).toBe(field);
  expect(await read()).toEqual(NONE);
  expect(JSON.stringify([response.body, server.log])).not.toContain(SMTP_PASSWORD);
});

it.each(['10.0.0.25', '127.0.0.25', '169.254.169.25', 'mail.invalid'])(
  '%s is not connected to',
  async (host) => {
    const options = { ...OPTIONS, resolveMailServer: undefined };
    const { check } = await signInAt(await openTestApp(options as object, server.database));
    expect(await check({ host })).toMatchObject(errorCode(400, 'mailServerUnreachable'));
  },
);

it.each([
  ['mailFromEnvironment', { SMTP_URL: 'smtp://127.0.0.1:9' }],
  ['publicUrlMissing', { PUBLIC_URL: undefined }],
  ['encryptionKeyMissing', { secretBox: undefined }],
])('%s: a mail server that could not be used is not tried', async (code, options) => {
  const { check } = await signInAt(await openTestApp({ ...OPTIONS, ...options }, server.database));
  expect(await check()).toMatchObject(errorCode(409, code));
});

it('attempts are limited, and need a recent login', async () => {
  const { check, post } = await signInAt();
  await server.sql`INSERT INTO unconfirmed_mails (purpose, hour, count)
    VALUES ('test', date_trunc('hour', now(), 'UTC'), 30)`;
  expect(await check()).toMatchObject(errorCode(429, 'mailTryLimitReached'));
  await server.sql`UPDATE sessions SET created_at = now() - interval '61 minutes'`;
  for (const response of [await check(), await post('update', { code: '123456' })])
    expect(response).toMatchObject(errorCode(403, 'reauthenticationRequired'));
});

it('a stored password is only sent to the server that it was entered for', async () => {
  const { check } = await connect();
  const password = undefined;
  expect((await check({ password, sender: 'board@example.org' })).status).toBe(200);
  expect(mailServer.received.at(-1)).toMatchObject({ from: 'board@example.org' });
  for (const other of [{ host: 'other.example.org' }, { port: 587 }, { user: 'other' }])
    expect(await check({ password, ...other })).toMatchObject(
      errorCode(400, 'mailPasswordMissing'),
    );
});

it('SMTP_URL wins over a stored mail server, which comes back without it', async () => {
  await connect();
  const SMTP_URL = 'smtp://env@env.example.org';
  const { read } = await signInAt(await openTestApp({ ...OPTIONS, SMTP_URL }, server.database));
  expect(await read()).toMatchObject({
    mail_server: { source: 'environment', host: 'env.example.org', port: 587, user: 'env' },
  });
});

it('after a restore with another key, the setup says that mail has to be connected again', async () => {
  const { read } = await connect();
  const secretBox = createSecretBox(Buffer.alloc(32, 8));
  const restored = await openTestApp({ ...OPTIONS, secretBox }, server.database);
  await restored.nameplate.mailServers.refresh();
  const operator = await signInAt(restored);
  expect(await operator.read()).toMatchObject({ mail_server: { readable: false, host: null } });
  expect(restored.outbox.isAvailable).toBe(false);
  expect((await operator.readFindings()).setup[0]!.code).toBe('mailUnreadable');
  await operator.check();
  await operator.post('update', { code: readCode() });
  expect(restored.outbox.isAvailable).toBe(true);
  expect(await read()).toMatchObject({ mail_server: { readable: false } });
});

it('a mail server can be disconnected, also one whose code is awaited', async () => {
  const { check, post, read } = await connect();
  await check();
  expect((await post('delete')).body).toEqual({ success: true });
  expect(await read()).toEqual(NONE);
  expect(server.outbox.isAvailable).toBe(false);
  expect(await post('delete')).toMatchObject(errorCode(409, 'mailNotConnected'));
  expect(await post('update', { code: '123456' })).toMatchObject(errorCode(409, 'mailCodeExpired'));
});

it('a restart between mail and code loses nothing, and another running server sends what waits', async () => {
  const worker = await openTestApp(OPTIONS, server.database);
  registerJobs(worker.nameplate, [mailJob]);
  await worker.jobs.open();
  await worker.nameplate.mailServers.refresh();
  const account = await server.createAccount();
  await server.sql`UPDATE forwarding_settings SET login_email = 'op@example.com'
    WHERE account_id = ${account.id}`;
  const before = await openTestApp({ mailEnabled: true }, server.database);
  await inTransaction(server.db, (trx) =>
    before.outbox.mailOwner(trx, passkeyMail, { accountId: account.id }),
  );
  await server.sql`UPDATE pgboss.job SET state = 'retry', start_after = now() + interval '1 hour'
    WHERE name = 'mail'`;
  await openMailServer();
  await (await signInAt(await openTestApp(OPTIONS, server.database))).check();
  const { post, read } = await signInAt(await openTestApp(OPTIONS, server.database));
  expect(await read()).toMatchObject({ pending: { email: FORM.email }, waiting: 1 });
  await post('update', { code: readCode() });
  const [mail] = await mailServer.waitForMails(1, 'op@example.com');
  expect(mail!.from).toBe(FORM.sender);
  await eventually(() => worker.outbox.isAvailable, Boolean);
});

it('a server does not look for changes before its start has migrated the database', async () => {
  const setInterval = vi.spyOn(timers, 'setInterval');
  syncBuiltinESMExports();
  onTestFinished(() => {
    setInterval.mockRestore();
    syncBuiltinESMExports();
  });
  const { mailServers } = (await openTestApp(OPTIONS, server.database)).nameplate;
  expect(setInterval).not.toHaveBeenCalled();
  await mailServers.refresh();
  await mailServers.refresh();
  expect(setInterval).toHaveBeenCalledOnce();
});

describe('the provider of an address', () => {
  const find = async (email: string) => {
    const dns = await startDnsServer();
    onTestFinished(() => dns.close());
    dns.setRecords('club.example', { MX: ['W0123.kasserver.com'] });
    dns.setRecords('school.example', { MX: ['school.mail.protection.outlook.com'] });
    const options = { ...OPTIONS, DNS_SERVERS: [dns.address] };
    const { get } = await signInAt(await openTestApp(options, server.database));
    return (await get(`list-mail-providers?email=${email}`)) as { providers: object[] };
  };
  const app = /^Gmail needs a password for apps/;
  it.each([
    ['jane@gmail.com', { host: 'smtp.gmail.com', port: 465, note: expect.stringMatching(app) }],
    ['jane@posteo.de', { host: 'posteo.de', port: 465, note: null }],
    ['jane@seznam.cz', { host: 'smtp.seznam.cz', port: 465 }],
    ['office@club.example', { name: 'ALL-INKL', host: 'w0123.kasserver.com' }],
    ['office@school.example', { host: 'smtp.office365.com', port: 587 }],
  ])('%s is recognized', async (email, provider) => {
    expect((await find(email)).providers).toMatchObject([provider]);
  });

  it('can be unknown', async () => {
    expect((await find('me@other.example')).providers).toEqual([]);
  });
});
