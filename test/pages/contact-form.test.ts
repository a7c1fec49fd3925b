import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { MailServerStore } from '#server/platform/mail/mail-server-store.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { registerJobs } from '#server/process/jobs.ts';
import { type MailServer, startMailServer, waitUntilMailsSent } from '../forwarding/mail-server.ts';
import { eventually } from '../support/eventually.ts';
import { findTablesWith } from '../support/find-text.ts';
import { POLL_OFTEN } from '../support/poll-often.ts';
import { publishPage } from '../support/publish-page.ts';
import { postForm, SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { openTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { LONG_TIME_LIMITS } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const HOST = 'names.example.org';
const OWNER = 'owner@inbox.example.net';
const FIELDS = { name: 'Ann Visitor', email: 'ann@visitor.example', message: 'Two mugs, please.' };
const CANARIES = /Ann Visitor|visitor\.example|Two mugs|inbox\.example/;

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  PUBLIC_URL: `https://${HOST}`,
});
beforeAll(async () => {
  await publish(server, account, 'jane-doe');
  await publish(server, await server.createAccount(), 'regatta-club', [
    BLOCK,
    { type: 'contact_form', title: 'Sign up', fields: FORM_FIELDS },
  ] as never);
});
beforeEach(async () => {
  // A message that is repeated within a minute is not sent again.
  FIELDS.message = `Two mugs, please. ${randomUUID()}`;
  await server.db.deleteFrom('owner_mails').execute();
  await sql`DELETE FROM pgboss.job`.execute(server.db).catch(() => undefined);
});

async function publish(app: TestApp, owner: TestAccount, name: string, blocks = [BLOCK]) {
  await publishPage(owner, name, { display_name: 'Jane <Doe>', blocks });
  await setAddress(app, owner, true);
}
const BLOCK = { type: 'contact_form', title: 'Write to me' } as const;

async function setAddress({ database }: TestApp, { id }: TestAccount, confirmed: boolean | null) {
  await sql`INSERT INTO forwarding_settings (account_id, forwarding_email, forwarding_confirmed, login_email)
    VALUES (${id}, ${OWNER}, ${confirmed}, 'login@inbox.example.net')
    ON CONFLICT (account_id) DO UPDATE SET forwarding_email = excluded.forwarding_email,
      forwarding_confirmed = excluded.forwarding_confirmed, login_email = excluded.login_email`.execute(
    database.db,
  );
}

function post(
  fields: Record<string, string> | string,
  {
    name = 'jane-doe',
    url = undefined as string | undefined,
    headers = undefined as Record<string, string> | undefined,
    app = server,
    remoteAddress = '203.0.113.1',
  } = {},
) {
  return postForm(app, url ?? `/@${name}/message`, fields, { headers, remoteAddress });
}

async function readMessages(kind = 'message', { database } = server) {
  const { rows } = await sql<{ data: { message: Record<string, string> } }>`
    SELECT data FROM pgboss.job WHERE name = 'mail' AND data->>'kind' = ${kind}
    ORDER BY created_on`
    .execute(database.db)
    .catch(() => ({ rows: [] }));
  return rows.map(({ data }) => data.message);
}

const readPage = async (name = 'jane-doe', app = server) =>
  (await app.app.inject({ url: `/@${name}` })).payload;

const FORM_FIELDS = [
  { label: 'Boat', required: true },
  { label: 'Crew', type: 'number' },
  { label: 'Class', type: 'choice', options: 'Laser\n470 <b>\nLaser', required: true },
  { label: 'I have read the rules', type: 'tick', required: true },
  { label: 'Berth', type: 'tick' },
  { label: 'Boat', type: 'number' },
  { label: 'Nothing to choose', type: 'choice', required: true },
  { type: 'number' },
];
const ANSWERS = {
  'field: Boat': '=1+1\t"Wind"',
  'field: Crew': '2,5',
  'field: Class': '470 <b>',
  'field: I have read the rules': 'on',
};

/** Sends the second form of a page, which has these fields. */
async function postFields(changes: Record<string, string> = {}, remoteAddress = '203.0.114.1') {
  const page = await readPage('regatta-club');
  const form = page.match(/(?<=name="form" value=")[^"]+/g)![1]!;
  const values = { ...FIELDS, form, ...ANSWERS, ...changes };
  return post(values, { url: '/@regatta-club/message', remoteAddress });
}

it('a page with a contact form shows it without scripts or addresses, and may only submit to its own host', async () => {
  const { payload, headers } = await server.app.inject({ url: '/@jane-doe' });
  expect(payload).toContain('action="/@jane-doe/message"');
  expect(payload).toContain('Write to me');
  const [form = ''] = /<form[^]*?<\/form>/.exec(payload) ?? [];
  const names = [...form.matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['form', 'name', 'email', 'message', 'topic']);
  expect(payload).not.toMatch(/inbox\.example|<script(?! type="application\/ld\+json")/);
  expect(headers['content-security-policy']).toContain("form-action 'self';");
});

it('a page with a contact form ends a sentence once after a name with a full stop', async () => {
  await account.client.site.updateSiteConfiguration({ display_name: 'Ruderclub e. V.' });
  expect(await readPage()).toContain('"The page of Ruderclub e. V."');
  expect((await post({ ...FIELDS, message: 'Ahoy' })).payload).toContain(' to Ruderclub e. V.<');
  await account.client.site.updateSiteConfiguration({ display_name: 'Jane <Doe>' });
  await server.sql`DELETE FROM pgboss.job WHERE name = 'mail'`;
});

it('a page with a contact form shows it only while the owner has a confirmed address', async () => {
  for (const confirmed of [false, null]) {
    await setAddress(server, account, confirmed);
    const { payload, headers } = await server.app.inject({ url: '/@jane-doe' });
    expect(payload).not.toContain('<form');
    expect(headers['content-security-policy']).toContain("form-action 'none';");
    expect((await post(FIELDS)).statusCode).toBe(404);
  }
  await setAddress(server, account, true);
  expect(await readPage()).toContain('<form');
  expect(await readMessages()).toEqual([]);
});

it('a page with a contact form shows it only if the server can send mail', async () => {
  const app = await openTestApp();
  await publish(app, await app.createAccount(), 'jane-doe');
  expect(await readPage('jane-doe', app)).not.toContain('<form');
  expect((await post(FIELDS, { app })).statusCode).toBe(404);
});

it('a message is queued, and the visitor gets a page with a copy and a way back', async () => {
  const response = await post(FIELDS, { name: 'JANE-DOE' });
  expect([response.statusCode, response.headers['cache-control']]).toEqual([
    200,
    'no-store, no-transform',
  ]);
  expect(response.headers['x-robots-tag']).toBe('noindex');
  expect(response.payload).toContain('Your message is on its way to Jane &lt;Doe&gt;.');
  expect(response.payload).toContain('Two mugs, please.');
  expect(response.payload).toContain('href="/@jane-doe"');
  expect(await readMessages()).toEqual([
    { page: `https://${HOST}/@jane-doe`, ...FIELDS, answers: [] },
  ]);
  expect(JSON.stringify(server.log)).not.toMatch(CANARIES);
});

it('a message that is sent twice is one mail, also to another server, and another text is another', async () => {
  const message = 'Sent twice.';
  const options = { mailEnabled: true, PUBLIC_URL: `https://${HOST}` };
  const app = await openTestApp(options, server.database);
  const twice = await Promise.all([post({ ...FIELDS, message }), post({ ...FIELDS, message })]);
  twice.push(await post({ ...FIELDS, message }), await post({ ...FIELDS, message }, { app }));
  for (const { statusCode, payload } of twice)
    expect([statusCode, payload]).toEqual([200, expect.stringContaining('is on its way')]);
  await post({ ...FIELDS, message: 'Sent once.' });
  expect((await readMessages()).map((queued) => queued['message'])).toEqual([
    message,
    'Sent once.',
  ]);
});

it('a message may come from an international domain', async () => {
  await post({ ...FIELDS, email: 'hans@exämple.example' });
  expect(await readMessages()).toMatchObject([{ email: 'hans@xn--exmple-cua.example' }]);
  const { statusCode, payload } = await post({ ...FIELDS, email: 'jürgen@exämple.example' });
  expect(statusCode).toBe(400);
  expect(payload).toContain('Only letters from a to z, digits and signs work before the @.');
  expect(payload).toContain('value="jürgen@exämple.example"');
});

it('a message gets the same 404 at pages without a form as at unknown names', async () => {
  await publish(server, await server.createAccount(), 'formless-one', []);
  const unknown = await server.app.inject({ url: '/@nobody-here' });
  const { statusCode, payload } = await post(FIELDS, { name: 'formless-one' });
  expect([statusCode, payload]).toEqual([404, unknown.payload]);
  expect(await readMessages()).toEqual([]);
});

it.each<Record<string, string>>([
  { email: '' },
  { email: 'ann' },
  { email: 'ann@visitor.example, bob@victim.example' },
  { email: 'ann@visitor.example\r\nBcc: bob@victim.example' },
  { email: `${'x'.repeat(250)}@visitor.example` },
  { message: ' \n ' },
  { message: 'x'.repeat(4_001) },
])('a message that is incomplete shows the form again with what was typed: %j', async (fields) => {
  const typed = { ...FIELDS, message: '</textarea><script>alert(1)</script>', ...fields };
  const { statusCode, headers, payload } = await post(typed);
  expect([statusCode, headers['x-error-code']]).toEqual([400, 'messageInvalid']);
  expect(payload).toContain(
    'message' in fields ? 'Write a message of at most' : 'Enter your whole email address.',
  );
  expect(payload).toContain('aria-invalid="true"');
  expect(payload).toContain('value="Ann Visitor"');
  expect(payload).not.toContain('<script>');
  if (!('message' in fields)) expect(payload).toContain('&lt;/textarea&gt;');
  expect(headers['content-security-policy']).toContain("form-action 'self'");
  expect(await readMessages()).toEqual([]);
});

it('a message with the hidden field filled in is dropped, which the response does not show', async () => {
  const sent = await post(FIELDS);
  const dropped = await post({ ...FIELDS, topic: 'SEO' });
  expect([dropped.statusCode, dropped.payload]).toEqual([200, sent.payload]);
  expect(await readMessages()).toHaveLength(1);
});

it('a message loses control characters, and its name has one line', async () => {
  const name = ` Ann\r\nBcc: bob@victim.example\u202e\u0000${'x'.repeat(200)}`;
  await post({ ...FIELDS, name, message: ` a\r\nb\u0007 ${'😀'.repeat(3_900)}` });
  const [message] = await readMessages();
  expect(message!['name']).toMatch(/^Ann Bcc: bob@victim\.example x+$/);
  expect(message!['name']).toHaveLength(99);
  expect(message!['message']).toMatch(/^a\nb /);
});

it('a message never carries an API key, whatever the owner calls the form', async () => {
  await post({ ...FIELDS, name: account.key, message: `My key is ${account.key}.` });
  expect(await readMessages()).toMatchObject([{ name: 'np_…', message: 'My key is np_….' }]);
});

it('a message reloaded by its address leads back to the page', async () => {
  for (const name of ['jane-doe', 'nobody-here']) {
    const { statusCode, headers } = await server.app.inject({ url: `/@${name}/message` });
    expect([statusCode, headers.location]).toEqual([303, `/@${name}`]);
  }
});

it('a message can be sent at a custom domain, but not for an account that has lost the name', async () => {
  const host = 'jane.example';
  const domain = { account_id: account.id, domain: host, token: 'A'.repeat(22) };
  await server.db
    .insertInto('domains')
    .values({ ...domain, verified_at: new Date() })
    .execute();
  const { payload } = await server.app.inject({ url: '/', headers: { host } });
  expect(payload).toContain('action="/message"');
  const options = { url: '/message', headers: { host, ...SAME_ORIGIN_HEADERS } };
  const response = await post(FIELDS, options);
  expect([response.statusCode, response.payload.includes('href="/"')]).toEqual([200, true]);
  expect(await readMessages()).toMatchObject([{ page: `https://${host}` }]);
  // Older browsers send only their origin.
  for (const [origin, status] of [
    [`https://${host}`, 200],
    ['https://example.org', 403],
  ] as const) {
    const { statusCode } = await post(FIELDS, { url: '/message', headers: { host, origin } });
    expect([origin, statusCode]).toEqual([origin, status]);
  }
  // Domains have the scheme and port of the pages. Browsers without HTTPS send only the origin.
  const plain = await openTestApp(
    { PUBLIC_URL: 'http://names.lan:3000', mailEnabled: true },
    server.database,
  );
  for (const [origin, status] of [
    [`http://${host}:3000`, 200],
    [`https://${host}`, 403],
  ] as const) {
    const headers = { host: `${host}:3000`, origin };
    const { statusCode } = await post(FIELDS, { url: '/message', headers, app: plain });
    expect([origin, statusCode]).toEqual([origin, status]);
  }
  expect((await post(FIELDS, { url: '/message' })).statusCode).toBe(404);
});

it('the fields of a form are shown with their labels, except those that cannot be filled in', async () => {
  const page = await readPage('regatta-club');
  const inputs = [...page.matchAll(/<(?:input|select)[^>]*name="field: ([^"]+)"[^>]*>/g)];
  expect(inputs.map(([input, label]) => [label, / required/.test(input)])).toEqual([
    ['Boat', true],
    ['Crew', false],
    ['Class', true],
    ['I have read the rules', true],
    ['Berth', false],
  ]);
  expect(page).toContain('>Crew (optional)<');
  expect(page).toContain('>Berth<');
  expect(page.match(/<option/g)).toHaveLength(3);
});

it('the fields of a form are sent with the message, in their order', async () => {
  const response = await postFields();
  expect(response.statusCode).toBe(200);
  expect(response.payload).toContain('Boat: <bdi>=1+1 &quot;Wind&quot;</bdi>');
  // A server of 0.2.0, which would drop the answers, leaves this kind.
  expect(await readMessages('answered-form')).toMatchObject([
    {
      answers: [
        { type: 'line', label: 'Boat', value: '=1+1 "Wind"' },
        { type: 'number', label: 'Crew', value: '2,5' },
        { type: 'choice', label: 'Class', value: '470 <b>' },
        { type: 'tick', label: 'I have read the rules', value: 'yes' },
        { type: 'tick', label: 'Berth', value: '' },
      ],
    },
  ]);
});

it.each([
  ['“Boat” is missing.', { 'field: Boat': ' \n ' }],
  ['Check “Boat”.', { 'field: Boat': 'x'.repeat(501) }],
  ['Check “Crew”.', { 'field: Crew': 'two' }],
  ['Check “Class”.', { 'field: Class': 'Finn' }],
  ['“Class” is missing.', { 'field: Class': '' }],
  ['“I have read the rules” is missing.', { 'field: I have read the rules': '' }],
])(
  'the fields of a form are checked, and an error keeps the other answers: %s',
  async (problem, changes: Record<string, string>) => {
    const response = await postFields(changes, `203.0.114.${problem.length}`);
    expect(response.statusCode).toBe(400);
    expect(response.payload).toContain(problem);
    expect(response.payload.match(/aria-invalid="true" aria-describedby="problem"/g)).toHaveLength(
      1,
    );
    expect(response.payload).toContain('Sign up');
    const kept = {
      'field: Crew': 'value="2,5"',
      'field: Class': '<option selected>470 &lt;b&gt;',
    };
    for (const [name, text] of Object.entries(kept))
      if (!(name in changes)) expect(response.payload).toContain(text);
    expect(await readMessages('answered-form')).toEqual([]);
  },
);

it('limits of a page keep the owner’s mailbox usable, even for concurrent messages', async () => {
  const responses: Awaited<ReturnType<typeof post>>[] = [];
  for (const round of ['a', 'b', 'c']) {
    const networks = Array.from({ length: 8 }, (_, index) => `2001:db8:${round}${index}::1`);
    responses.push(
      ...(await Promise.all(
        networks.map((remoteAddress) =>
          post({ ...FIELDS, message: remoteAddress }, { remoteAddress }),
        ),
      )),
    );
  }
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  const refused = responses.find(({ statusCode }) => statusCode === 429)!;
  expect(refused.headers).toMatchObject({
    'retry-after': '3600',
    'x-error-code': 'messageRateLimited',
  });
  expect(refused.payload).toContain('Too many messages were sent. Try again later.');
  expect(refused.payload).toContain('value="Ann Visitor"');
  expect(await readMessages()).toHaveLength(20);
});

it('limits of a page leave room for other networks, however many messages one sends', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1)
    statuses.push(
      (await post({ ...FIELDS, message: `${index}` }, { remoteAddress: `2001:db8:5:${index}::1` }))
        .statusCode,
    );
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  const other = await post(FIELDS, { remoteAddress: '2001:db8:6::1' });
  expect(other.statusCode).toBe(200);
});

describe('the mail', () => {
  let mailServer: MailServer;
  let jobs: JobQueue;
  const log: unknown[] = [];
  beforeAll(async () => {
    mailServer = await startMailServer();
    const logger = {
      warn: (...entries: unknown[]) => void log.push(entries),
    } as unknown as FastifyBaseLogger;
    const retry = { ...POLL_OFTEN, retrySeconds: 1, maxRetrySeconds: 1 };
    const { url, db } = server.database;
    jobs = new JobQueue({ url, logger, options: { mail: retry }, timeLimits: LONG_TIME_LIMITS });
    const config = loadConfig({ SMTP_URL: mailServer.url, PUBLIC_URL: `https://${HOST}` });
    const mailServers = new MailServerStore({ config, readDb: db, secretBox: undefined });
    const app = { ...server.nameplate, config, db, log: logger, mailServers };
    registerJobs({ ...app, jobs }, [mailJob]);
    await jobs.open();
  });
  beforeEach(() => {
    mailServer.received.length = 0;
    mailServer.refusal = undefined;
  });
  afterAll(async () => {
    await jobs.close();
    await mailServer.close();
  });

  /** Deletes finished jobs, as the queue does by itself within two minutes. */
  async function deleteFinishedJobs() {
    await server.sql`UPDATE pgboss.job SET completed_on = completed_on - interval '2 minutes'
      WHERE completed_on IS NOT NULL`;
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({ connectionString: server.database.url, max: 1, schedule: false });
    await boss.start();
    await server.sql`UPDATE pgboss.queue SET maintain_on = NULL`;
    await boss.supervise('mail');
    await boss.stop();
  }

  it('the mail goes to the confirmed address only, as plain text and as a quotation without links, and a reply goes to the visitor', async () => {
    await post({
      ...FIELDS,
      name: 'Ann\r\nBcc: bob@victim.example',
      message: 'Two <b>mugs</b>: https://evil.example\n\n-- \nBye',
    });
    await waitUntilMailsSent(server.db);
    const [mail] = mailServer.received;
    expect(mail).toMatchObject({ to: [OWNER], from: 'no-reply@nameplate.example' });
    const [head, text] = mail!.source.split(/\r\n\r\n(.*)/s);
    for (const line of [
      'From: "names.example.org" <no-reply@nameplate.example>\r\nTo: owner@inbox.example.net\r\n',
      'Reply-To: "Ann Bcc: bob@victim.example" <ann@visitor.example>',
      'Subject: Message from ann@visitor.example through your page',
      'Content-Type: multipart/alternative',
    ])
      expect(head).toContain(line);
    expect(head).not.toMatch(/^(?:Bcc|Cc|Auto-Submitted|X-Auto-Response-Suppress):/im);
    expect(text).toContain(`A visitor of your page https://${HOST}/@jane-doe wrote:`);
    const [plain, html] = splitParts(mail!.source);
    expect(plain).toContain('> Two <b>mugs</b>: https://evil.example\n> \n> -- \n> Bye\n');
    expect(html).toContain(
      '<div class="quote">Two &lt;b&gt;mugs&lt;/b&gt;: https://evil.example<br /><br />-- <br />Bye</div>',
    );
    const links = [...html.matchAll(/<a href="([^"?]+)/g)].map(([, link]) => link);
    expect(links).toEqual(['mailto:ann%40visitor.example']);
    expect(plain).not.toContain('mailto:');
    expect(text).toContain('We never ask for a password or a key by mail.');
  });

  it('the mail has the answers as a list and as one row, in plain text and in HTML without links', async () => {
    await postFields({
      name: '+Ann',
      'field: Crew': '-2',
      message: 'See https://evil.example <b>now</b>',
    });
    await waitUntilMailsSent(server.db);
    const [mail] = mailServer.received;
    const [text, html] = splitParts(mail!.source);
    expect(text).toContain(
      'Name: +Ann\nEmail: ann@visitor.example\nBoat: =1+1 "Wind"\nCrew: -2\nClass: 470 <b>\nI have read the rules: Yes\nBerth: No\n',
    );
    expect(text).toContain(
      '\n\'+Ann\tann@visitor.example\t\'=1+1 "Wind"\t-2\t470 <b>\tYes\tNo\n\n-- \n',
    );
    const facts = [...html.matchAll(/<td class="fact[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
    expect(facts.slice(0, 10)).toEqual([
      ...['Name', '+Ann', 'Email', 'ann@visitor.example'],
      ...['Boat', '=1+1 &quot;Wind&quot;', 'Crew', '-2', 'Class', '470 &lt;b&gt;'],
    ]);
    const cells = [...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual([
      ...['&#39;+Ann', 'ann@visitor.example', '&#39;=1+1 &quot;Wind&quot;', '-2'],
      ...['470 &lt;b&gt;', 'Yes', 'No'],
    ]);
    expect(html).toContain('See https://evil.example &lt;b&gt;now&lt;/b&gt;');
    expect(html.match(/<(?:a|b|img)\b/g)).toEqual(['<a']);
  });

  /** Texts of the plain part and the HTML part. */
  function splitParts(source: string): [plain: string, html: string] {
    const [, plain = '', html = ''] = source
      .replace(/=\r\n/g, '')
      .replaceAll('=3D', '=')
      .replaceAll('=09', '\t')
      .replaceAll('=20', ' ')
      .replaceAll('\r\n', '\n')
      .split(/^Content-Type: text\/.*$/m);
    return [plain, html];
  }

  it.each([
    [undefined, 1],
    [{ code: 550, text: 'no such user: Ann Visitor, Two mugs' }, 0],
  ])('the mail leaves the database once it is sent or rejected: %j', async (refusal, count) => {
    mailServer.refusal = refusal;
    await post(FIELDS);
    await waitUntilMailsSent(server.db);
    expect(mailServer.received).toHaveLength(count);
    expect(await findCanaries()).not.toEqual([]);
    await deleteFinishedJobs();
    expect(await findCanaries()).toEqual([]);
    expect(JSON.stringify([log, server.log])).not.toMatch(CANARIES);
  });

  it('the mail is gone after a week without a mail server', async () => {
    await waitForRetry();
    const age = sql`UPDATE pgboss.job SET keep_until = keep_until - interval '7 days',
      start_after = now() + interval '1 hour' WHERE state = 'retry' RETURNING id`;
    // Not while it is being tried again: an active job is never deleted.
    await eventually(
      () => age.execute(server.db),
      ({ rows }) => rows.length === 1,
    );
    expect(await findCanaries()).not.toEqual([]);
    await deleteFinishedJobs();
    expect(await findCanaries()).toEqual([]);
  });

  it('the mail is tried again if the mail server fails for a while, and its error has no text', async () => {
    expect(JSON.stringify(await waitForRetry())).not.toMatch(CANARIES);
    mailServer.refusal = undefined;
    await eventually(() => expect(mailServer.received).toHaveLength(1));
  });

  it('the mail is dropped if the address is no longer confirmed', async () => {
    await waitForRetry();
    await setAddress(server, account, false);
    mailServer.refusal = undefined;
    await waitUntilMailsSent(server.db);
    expect(mailServer.received).toEqual([]);
    await setAddress(server, account, true);
  });

  /** Sends a message that the mail server refuses for now. Returns the stored error. */
  async function waitForRetry(): Promise<unknown> {
    mailServer.refusal = { code: 451, text: 'later: Ann Visitor, Two mugs' };
    await post(FIELDS);
    const retry = sql<{ output: unknown }>`SELECT output FROM pgboss.job WHERE state = 'retry'`;
    const { rows } = await eventually(
      () => retry.execute(server.db),
      (found) => found.rows.length === 1,
    );
    return rows[0]!.output;
  }

  const findCanaries = () => findTablesWith(server.db, String.raw`visitor\.example|Two mugs`);
});
