import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/shared/limits.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { setPageSuspended } from '#db/queries/public-sites.ts';
import { publishPage } from '../support/publish-page.ts';
import { postForm, SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { openTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  rateLimitOptions: {
    requestsPerMinute: 0,
    nameChecksPerMinute: 9,
    reportsPerHour: 3,
    messagesPerHour: 3,
  },
});

beforeAll(() => publish(server, account, 'jane-doe'));

/** Creates a page with a contact form. */
async function publish({ database }: TestApp, owner: TestAccount, name: string) {
  await publishPage(owner, name, { blocks: [{ type: 'contact_form' }] });
  await database.db
    .updateTable('forwarding_settings')
    .set({ forwarding_email: 'owner@inbox.example.net', forwarding_confirmed: true })
    .where('account_id', '=', owner.id)
    .execute();
}

let networks = 0;
const createNetwork = () => `203.0.113.${(networks += 1)}`;

const post = (
  url: string,
  payload: string,
  remoteAddress = createNetwork(),
  app = server,
  headers?: Record<string, string>,
) => postForm(app, url, payload, { headers, remoteAddress });

async function countSubmissions(): Promise<number> {
  const rows = await server.sql<{ count: number }>`SELECT (SELECT count(*) FROM reports)::int +
    (SELECT count(*) FROM pgboss.job WHERE data->>'kind' = 'message')::int AS count`;
  return rows[0]!.count;
}

describe.each([
  {
    url: '/',
    fields: 'name=new-one&email=jane@example.com&person=&text=&again=',
    invalid: 'name=new-one&email=',
    maxLength: LIMITS.email,
  },
  {
    url: '/@jane-doe/report',
    fields: 'reason=scam&text=x&email=',
    invalid: 'reason=&text=',
    maxLength: LIMITS.reportText,
  },
  {
    url: '/@jane-doe/message',
    // With ten fields of the owner's.
    fields: `form=&name=&email=ann@visitor.example&message=x&topic=${'&a='.repeat(10)}`,
    invalid: 'email=ann&message=',
    maxLength: LIMITS.visitorMessage,
  },
])('the form at $url', ({ url, fields, invalid, maxLength }) => {
  it(`the form at ${url} is accepted with all of its fields, and refused with one more`, async () => {
    expect((await post(url, fields)).statusCode).toBe(200);
    expect((await post(url, `${fields}&a`)).statusCode).toBe(400);
    expect((await post(url, 'a&'.repeat(1_000))).statusCode).toBe(400);
  });

  it(`the form at ${url} is refused unread if it is larger than its fields`, async () => {
    const { statusCode, payload } = await post(url, `text=${'x'.repeat(200_000)}`);
    expect(statusCode).toBe(413);
    expect(payload).toMatch(/The request body is larger than (?:[1-9]|[1-5]\d|170) KiB\./);
  });

  it(`the form at ${url} must come from a page of this server`, async () => {
    const before = await countSubmissions();
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const sent = await post(url, fields, createNetwork(), server, headers);
      expect([headers, sent.statusCode]).toEqual([headers, 403]);
    }
    expect(await countSubmissions()).toBe(before);
    const headers = { origin: 'http://localhost' };
    expect((await post(url, fields, createNetwork(), server, headers)).statusCode).toBe(200);
  });

  it.each([
    ['no body', '', {}],
    ['JSON', '{"reason":"scam"}', { 'content-type': 'application/json' }],
    ['text', 'reason=scam', { 'content-type': 'text/plain' }],
    ['a file', 'reason=scam', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['broken escapes', 'reason=%ZZ&text=%00%ff', {}],
    ['prototypes', '__proto__=scam&constructor=1', {}],
  ])(`the form at ${url} is refused with %s`, async (_what, payload, type) => {
    const before = await countSubmissions();
    const headers = { ...SAME_ORIGIN_HEADERS, ...type };
    const { statusCode } = await post(url, payload, createNetwork(), server, headers);
    expect(statusCode).toBeOneOf([400, 415]);
    expect(await countSubmissions()).toBe(before);
  });

  it(`the form at ${url} comes back no longer than its fields allow`, async () => {
    const empty = await post(url, invalid);
    const { statusCode, payload } = await post(url, invalid + '"'.repeat(2 * maxLength));
    expect(statusCode).toBe(400);
    const escaped = '&quot;'.length * maxLength;
    expect(payload.length).toBeLessThan(empty.payload.length + escaped + 500);
  });

  it(`the form at ${url} counts for its network even if it is not valid`, async () => {
    const network = createNetwork();
    const statuses: number[] = [];
    while (statuses.length < 10) statuses.push((await post(url, invalid, network)).statusCode);
    expect(statuses.slice(0, 3)).toEqual([400, 400, 400]);
    expect(statuses.at(-1)).toBe(429);
    expect((await post(url, fields, network)).statusCode).toBe(429);
    expect((await post(url, fields)).statusCode).toBe(200);
  });
});

describe.each([
  { path: 'report', fields: 'reason=scam', hourly: 'reportsPerHour', daily: 'pageReportsPerDay' },
  {
    path: 'message',
    fields: 'email=ann@visitor.example&message=x',
    hourly: 'messagesPerHour',
    daily: 'pageMessagesPerDay',
  },
])('the form /@name/$path', ({ path, fields, hourly, daily }) => {
  it(`the form /@name/${path} gets the same 404 at hidden, suspended and unknown names`, async () => {
    const [hidden, suspended] = [await server.createAccount(), await server.createAccount()];
    await hidden.client.account.updateDisplayName({ display_name: `hidden-${path}` });
    await publish(server, suspended, `suspended-${path}`);
    await inTransaction(server.db, (trx) => setPageSuspended(trx, suspended.id, 'Spam'));
    const unknown = await server.app.inject({ url: '/@nobody-here' });
    const names = [`hidden-${path}`, `suspended-${path}`, 'nobody-here', 'x', '%00', "o'neill"];
    const before = await countSubmissions();
    for (const name of [...names, '-'.repeat(80)])
      for (const payload of [fields, '']) {
        const sent = await post(`/@${name}/${path}`, payload);
        expect([name, sent.statusCode, sent.payload]).toEqual([name, 404, unknown.payload]);
        expect(sent.headers['content-security-policy']).toBe(
          unknown.headers['content-security-policy'],
        );
      }
    expect(await countSubmissions()).toBe(before);
  });

  it.each([
    ['hour, for all pages', hourly, 429],
    ['page and day', daily, 200],
  ])(`the form at ${path} is limited per network and %s`, async (_what, limit, otherPageStatus) => {
    const app = await openTestApp({
      mailEnabled: true,
      rateLimitOptions: { requestsPerMinute: 0, [limit]: 2 },
    });
    for (const name of ['jane-doe', 'joe-bloggs'])
      await publish(app, await app.createAccount(), name);
    const send = (name: string, network = '203.0.113.1') =>
      post(`/@${name}/${path}`, fields, network, app);
    for (const [name, status] of [
      ['jane-doe', 200],
      ['Jane-Doe', 200],
      ['jane-doe', 429],
      ['joe-bloggs', otherPageStatus],
    ] as const)
      expect([name, (await send(name)).statusCode]).toEqual([name, status]);
    const refused = await send('jane-doe');
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.payload).toMatch(/(?:Too many messages|network has sent many)\b/);
    expect((await send('jane-doe', '203.0.113.2')).statusCode).toBe(200);
  });
});
