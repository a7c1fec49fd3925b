import { parseEnv } from 'node:util';
import { beforeAll, beforeEach, afterAll, expect, it, onTestFinished } from 'vitest';
import type { GetServerResponse } from '#client/owner.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { passkeyMail } from '#server/features/passkeys/passkey-mail.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import type { StoredMailServer } from '#server/platform/mail/mail-server-store.ts';
import { formatMailSettings, mailServerFromSettings } from '#server/platform/mail/settings.ts';
import { createSecretBox } from '#server/platform/secrets/secret-box.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { type MailServer, SMTP_PASSWORD, startMailServer } from '../forwarding/mail-server.ts';
import { call } from '../support/call.ts';
import { createOperator, storeMailServer } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { createSession, logIn, postFromPage, sessionHeaders } from '../support/session.ts';
import { openTestApp, startTestApp, type TestApp } from '../support/test-app.ts';

const HOST = 'mail.example.org';
const STORED = { host: HOST, user: 'nameplate', password: SMTP_PASSWORD };
const SETTINGS = `SMTP_URL='smtps://nameplate:${encodeURIComponent(SMTP_PASSWORD)}@${HOST}:465'\nMAIL_FROM=me@example.org`;

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
  await server.sql`DELETE FROM unconfirmed_mails`;
  await server.sql`DELETE FROM audit_log`;
  await inTransaction(server.db, (trx) => saveInstance(trx, { encrypted_mail_server: null }));
});

async function openMailServer(options = {}) {
  mailServer = await startMailServer(undefined, { secure: true, name: HOST, ...options });
  onTestFinished(() => mailServer.close());
}

async function signInAt(app = server) {
  const operator = await createOperator(app);
  const headers = await logIn(app, operator.id);
  const get = (name: string) => call(app.app, { path: `/owner/server/${name}`, headers });
  return {
    operator,
    exportSettings: () => get('export-mail-settings'),
    deleteSettings: () => postFromPage(app, '/owner/server/delete-mail-settings', {}, headers),
    sendTestMail: () =>
      postFromPage(app, '/owner/server/send-test-mail', { email: 'jane@example.net' }, headers),
    readFindings: async () => {
      const { setup } = (await get('get-server')).body as GetServerResponse;
      return setup.filter(({ code }) => code.startsWith('mail'));
    },
  };
}

it('a mail server that was connected in the dashboard sends what waits, and the setup says how to move it to the environment', async () => {
  await openMailServer();
  await storeMailServer(server, STORED);
  const { operator, readFindings } = await signInAt();
  await server.sql`UPDATE forwarding_settings SET login_email = 'op@example.com'
    WHERE account_id = ${operator.id}`;
  const before = await openTestApp({ mailEnabled: true }, server.database);
  await inTransaction(server.db, (trx) =>
    before.outbox.mailOwner(trx, passkeyMail, { accountId: operator.id }),
  );
  const worker = await openTestApp(OPTIONS, server.database);
  registerJobs(worker.nameplate, [mailJob]);
  await worker.jobs.open();
  expect(worker.outbox.isAvailable).toBe(false);
  await worker.nameplate.mailServers.refresh();
  const [mail] = await mailServer.waitForMails(1, 'op@example.com');
  expect(mail!.from).toBe('me@example.org');
  expect(await readFindings()).toMatchObject([
    { code: 'mailStored', level: 'warning', fix: 'npx nameplate server.exportMailSettings' },
    { code: 'mailSet', value: 'me@example.org' },
  ]);
});

it('the lines and the password of the mail server are shown to an operator, and are neither in the audit trail nor in the log', async () => {
  await storeMailServer(server, STORED);
  const { exportSettings, readFindings } = await signInAt();
  expect((await exportSettings()).body).toEqual({ settings: SETTINGS });
  const audited = await server.sql`SELECT action, detail FROM audit_log`;
  const detail = { host: HOST, port: 465, sender: 'me@example.org' };
  expect(audited).toEqual([{ action: 'server.exportMailSettings', detail }]);
  const others = JSON.stringify([audited, server.log, await readFindings()]);
  for (const secret of [SMTP_PASSWORD, encodeURIComponent(SMTP_PASSWORD)])
    expect(others).not.toContain(secret);
});

it('the lines of the mail server are refused to keys, to sessions that began with one, and without a recent login', async () => {
  await storeMailServer(server, STORED);
  const { operator, exportSettings, deleteSettings } = await signInAt();
  const session = sessionHeaders(await createSession(server, { api_key: operator.key }));
  for (const headers of [operator.headers, session])
    expect(
      await call(server.app, { path: '/owner/server/export-mail-settings', headers }),
    ).toMatchObject(errorCode(403, 'keyForbidden'));
  await server.sql`UPDATE sessions SET created_at = now() - interval '61 minutes'`;
  for (const response of [await exportSettings(), await deleteSettings()])
    expect(response).toMatchObject(errorCode(403, 'reauthenticationRequired'));
  expect(await server.sql`SELECT FROM audit_log`).toEqual([]);
});

const SERVER: StoredMailServer = {
  ...{ host: HOST, port: 465, security: 'tls', user: 'me', password: 'secret' },
  sender: 'me@example.org',
};

it.each<Partial<StoredMailServer>>([
  { user: 'me@club.example', password: `'"\\ %25 #$\`&=?/:@ä€` },
  { port: 587, security: 'starttls', password: "it's%" },
  { user: "o'neil@club.example", sender: "o'neil#1@club.example" },
  { sender: '$HOME`x`@club.example' },
])('the lines of %j make the same mail server in .env', (change) => {
  const { SMTP_URL, MAIL_FROM } = parseEnv(formatMailSettings({ ...SERVER, ...change }));
  const config = loadConfig({ SMTP_URL, MAIL_FROM, PUBLIC_URL: OPTIONS.PUBLIC_URL });
  expect(mailServerFromSettings(config)).toEqual({ ...SERVER, ...change });
});

it('SMTP_URL wins over a stored mail server, which can then be deleted', async () => {
  await openMailServer();
  await storeMailServer(server, STORED);
  const SMTP_URL = 'smtp://127.0.0.1:9';
  const app = await openTestApp({ ...OPTIONS, SMTP_URL }, server.database);
  const { deleteSettings, exportSettings, readFindings, sendTestMail } = await signInAt(app);
  expect((await sendTestMail()).body).toMatchObject({ code: 'ESOCKET ECONNREFUSED' });
  expect(await readFindings()).toContainEqual(
    expect.objectContaining({
      ...{ code: 'mailIgnored', level: 'warning' },
      fix: 'npx nameplate server.deleteMailSettings',
    }),
  );
  expect((await deleteSettings()).body).toEqual({ success: true });
  expect((await readFindings()).map(({ code }) => code)).toEqual(['mailFailing']);
  for (const response of [await deleteSettings(), await exportSettings()])
    expect(response).toMatchObject(errorCode(409, 'mailNotConnected'));
});

it('a server without an address sends no mail with a stored mail server, as its links would have none', async () => {
  await storeMailServer(server, STORED);
  const app = await openTestApp({ ...OPTIONS, PUBLIC_URL: undefined }, server.database);
  const { sendTestMail } = await signInAt(app);
  expect(await sendTestMail()).toMatchObject(errorCode(409, 'mailNotSetUp'));
});

it('a server whose stored mail server was deleted sends no mail, and forgets the one that waits', async () => {
  await openMailServer();
  await storeMailServer(server, STORED);
  const { deleteSettings, readFindings, sendTestMail } = await signInAt();
  expect((await sendTestMail()).body).toMatchObject({ accepted: true });
  await server.sql`UPDATE instance SET encrypted_pending_mail_server = encrypted_mail_server`;
  await deleteSettings();
  expect(await server.sql`SELECT encrypted_pending_mail_server FROM instance`).toEqual([
    { encrypted_pending_mail_server: null },
  ]);
  expect(server.outbox.isAvailable).toBe(false);
  expect((await readFindings()).map(({ code }) => code)).toEqual(['mailMissing']);
  expect(await sendTestMail()).toMatchObject(errorCode(409, 'mailNotSetUp'));
});

it('after a restore with another key, the setup asks for that key or SMTP_URL', async () => {
  await storeMailServer(server, STORED);
  const secretBox = createSecretBox(Buffer.alloc(32, 8));
  const restored = await openTestApp({ ...OPTIONS, secretBox }, server.database);
  const { exportSettings, readFindings } = await signInAt(restored);
  expect(await readFindings()).toMatchObject([
    { code: 'mailUnreadable', fix: expect.stringMatching(/^SMTP_URL='.*'\nMAIL_FROM=/) },
  ]);
  expect(restored.outbox.isAvailable).toBe(false);
  expect(await exportSettings()).toMatchObject(errorCode(409, 'mailSettingsUnreadable'));
});

it.each([
  ['10.0.0.25', /^EPRIVATE$/],
  ['127.0.0.25', /^EPRIVATE$/],
  ['169.254.169.25', /^EPRIVATE$/],
  ['mail.invalid', /^EDNS$/],
])('a stored mail server at %s is not connected to: %s', async (host, code) => {
  await storeMailServer(server, { ...STORED, host });
  const options = { ...OPTIONS, resolveMailServer: undefined };
  const app = await openTestApp(options as object, server.database);
  const { sendTestMail } = await signInAt(app);
  expect((await sendTestMail()).body).toMatchObject({
    accepted: false,
    code: expect.stringMatching(code),
  });
});

const INVALID = { code: 553, text: 'not yours' };
const STARTTLS = { port: 587, security: 'starttls' } as const;
it.each<
  [
    problem: RegExp,
    change?: Partial<StoredMailServer>,
    options?: object,
    refusal?: MailServer['refusal'],
  ]
>([
  [/refuses the login\./, { password: 'wrong' }],
  [/refuses the sender\./, {}, {}, { ...INVALID, ofSender: true }],
  [/refuses the sender\./, {}, {}, { ...INVALID, text: 'Sender address rejected' }],
  [/refuses the recipient\./, {}, {}, { code: 550, text: 'no such user' }],
  [/for now: it limits/, {}, {}, { code: 451, text: 'Greylisted' }],
  [/for now: it limits/, {}, {}, { code: 450, text: 'too much mail', ofSender: true }],
  [/certificate is not trusted/, {}, { name: 'other.example.org' }],
  [
    ...([/certificate is not trusted/, STARTTLS] as const),
    { secure: false, startTls: true, name: 'other.example.org' },
  ],
  [/takes no encrypted login at this port/, {}, { secure: false }],
  [/takes no encrypted login at this port/, STARTTLS, { secure: false }],
])('a test mail explains: %s (%j, %j, %j)', async (problem, change, options, refusal) => {
  await openMailServer(options);
  mailServer.refusal = refusal;
  await storeMailServer(server, { ...STORED, ...change });
  const { body } = await (await signInAt()).sendTestMail();
  expect(body).toMatchObject({ accepted: false, problem: expect.stringMatching(problem) });
  expect(JSON.stringify([body, server.log])).not.toContain(SMTP_PASSWORD);
});
