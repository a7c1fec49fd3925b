import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { runMaintenance } from '#server/process/maintenance.ts';
import { createPage, publishPage } from '../support/publish-page.ts';
import { postForm } from '../support/session.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';
import { attribute, renderPage, renderSharePage, readText } from './support/site.ts';

const { server, account } = useServer({ account: true, PUBLIC_URL: 'https://names.example.org' });
beforeAll(() => publishPage(account, 'jane-doe'));
beforeEach(async () => {
  await server.db.deleteFrom('reports').execute();
});

function get(name: string, { app } = server) {
  return app.inject({ method: 'GET', url: `/@${name}/report` });
}

const post = (name: string, fields: Record<string, string>, app = server) =>
  postForm(app, `/@${name}/report`, fields);

async function readReports() {
  const rows = await server.sql<Record<string, unknown>>`
    SELECT account_id, name, reason, text, email, count, closed_at FROM reports
    ORDER BY created_at, id`;
  return rows;
}

it('the report form has no scripts, is not cached or indexed, and submits only to the same origin', async () => {
  const { statusCode, headers, payload } = await get('jane-doe');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store, no-transform']);
  expect(headers['content-security-policy']).toContain("form-action 'self'");
  expect(payload).toContain('<meta name="robots" content="noindex">');
  expect(payload).toContain('names.example.org/@jane-doe');
  expect(payload).not.toMatch(/<script|\son\w+=|\sstyle=| checked/);
});

it('the report form names the club', async () => {
  const { instanceStore } = server.nameplate;
  const row = instanceStore.current;
  await instanceStore.set({ ...row, name: 'Sailing Club e.V.' });
  expect((await get('jane-doe')).payload).toContain('who run Sailing Club e.V. will look');
  const { payload } = await post('jane-doe', { reason: 'scam' });
  expect(payload).toContain('who run Sailing Club e.V. have your report.');
  await instanceStore.set(row);
});

it('the report form returns 404 if ABUSE_CONTACT is set', async () => {
  const withAbuseContact = await openTestApp({ ABUSE_CONTACT: 'abuse@example.org' });
  await createPage(withAbuseContact, {}, 'jane-doe');
  expect((await get('jane-doe', withAbuseContact)).statusCode).toBe(404);
  const sent = await post('jane-doe', { reason: 'scam' }, withAbuseContact);
  expect(sent.statusCode).toBe(404);
});

it('a report is stored with its reason, text and email address, which are not logged', async () => {
  const text = ' It asks for my bank login.\r\nLook! <b>&amp;</b> ';
  const response = await post('JANE-DOE', { reason: 'scam', text, email: 'Ann@Example.org' });
  expect([response.statusCode, response.headers['cache-control']]).toEqual([
    200,
    'no-store, no-transform',
  ]);
  expect(response.payload).toContain('<h1>Thank you</h1>');
  expect(await readReports()).toEqual([
    {
      account_id: account.id,
      name: 'jane-doe',
      reason: 'scam',
      text: 'It asks for my bank login.\nLook! <b>&amp;</b>',
      email: 'Ann@Example.org',
      count: 1,
      closed_at: null,
    },
  ]);
  expect(JSON.stringify(server.log)).not.toMatch(/bank login|Example\.org/);
});

it.each([
  [{}, 'Choose what is wrong.'],
  [{ reason: 'nonsense' }, 'Choose what is wrong.'],
  [{ reason: 'scam', text: 'x'.repeat(2_001) }, 'This can be at most 2,000 characters.'],
  [{ reason: 'scam', email: 'nobody' }, 'Enter a whole email address, or none.'],
  [{ reason: 'scam', email: `${'x'.repeat(250)}@example.org` }, 'Enter a whole email address'],
])('an incomplete report shows the form again with an error: %j', async (fields, message) => {
  const response = await post('jane-doe', { text: '"><script>alert(1)</script>', ...fields });
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([400, 'reportInvalid']);
  expect(response.payload).toContain(message);
  expect(response.payload).toContain('aria-invalid="true"');
  expect(response.payload).not.toContain('<script');
  expect(await readReports()).toEqual([]);
});

it('a report counts characters like the form does, and drops control characters', async () => {
  const text = `${'😀'.repeat(1_999)}\u0000`;
  expect((await post('jane-doe', { reason: 'other', text })).statusCode).toBe(200);
  expect(await readReports()).toMatchObject([{ text: '😀'.repeat(1_999) }]);
});

it('reports of one page with the same reason and no text are stored once, with a count', async () => {
  for (let count = 0; count < 3; count += 1) await post('jane-doe', { reason: 'scam' });
  await post('jane-doe', { reason: 'malware' });
  expect(await readReports()).toMatchObject([
    { reason: 'scam', count: 3 },
    { reason: 'malware', count: 1 },
  ]);
});

it('reports of one page are limited to 20 open ones, even if concurrent; the others are only counted', async () => {
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      post('jane-doe', { reason: 'other', text: `${index}` }),
    ),
  );
  // If the machine is busy, the server refuses requests that wait too long.
  const accepted = responses.filter(({ statusCode }) => statusCode === 200);
  const reports = await readReports();
  expect(reports).toHaveLength(20);
  expect(reports.reduce((sum, { count }) => sum + Number(count), 0)).toBe(accepted.length);
  await server.sql`UPDATE reports SET closed_at = now(), outcome = 'dismissed'`;
  await post('jane-doe', { reason: 'other', text: 'again' });
  expect(await readReports()).toHaveLength(21);
});

it('reports of one page do not displace reports with another reason, the first one and the latest ones', async () => {
  const sendReport = (reason: string, text: string) => post('jane-doe', { reason, text });
  await sendReport('scam', 'before');
  for (let count = 0; count < 30; count += 1) await sendReport('other', `junk ${count}`);
  await sendReport('scam', 'amid');
  await sendReport('other', 'real');
  for (const text of ['more', 'and more']) await sendReport('other', text);
  const reports = await readReports();
  expect(reports).toHaveLength(20);
  expect(reports.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['before', 'junk 0', 'amid', 'real', 'more', 'and more']),
  );
  expect(reports.reduce((sum, { count }) => sum + Number(count), 0)).toBe(35);
});

it('reports of one page are deleted 90 days after they were closed, or after a year', async () => {
  const insertReport = (name: string, created: string, closed: string | null) =>
    sql`INSERT INTO reports (account_id, name, reason, created_at, closed_at, outcome)
        VALUES (${account.id}, ${name}, 'other', now() - ${created}::interval,
          now() - ${closed}::interval, ${closed && 'dismissed'})`.execute(server.db);
  await insertReport('young', '300 days', null);
  await insertReport('old', '366 days', null);
  await insertReport('closed', '100 days', '80 days');
  await insertReport('long-closed', '100 days', '91 days');
  await runMaintenance(server.nameplate);
  expect((await readReports()).map(({ name }) => name)).toEqual(['young', 'closed']);
});

const REPORT_SUBJECT = 'Report%20of%20https%3A%2F%2Fexample.org%2F%40jane-doe';

it.each([
  ['abuse@example.org', `mailto:abuse@example.org?subject=${REPORT_SUBJECT}`],
  ['https-abuse@example.org', `mailto:https-abuse@example.org?subject=${REPORT_SUBJECT}`],
  ['https://example.org/report?by=@me', 'https://example.org/report?by=@me'],
  [undefined, 'https://example.org/@jane-doe/report'],
])('the share page links to the abuse contact %s, or to the report form', (contact, href) => {
  const links = renderSharePage({}, contact).findAll('a');
  const reportLinks = links.filter((link) => readText(link) === 'Report this page');
  expect(reportLinks.map((link) => attribute(link, 'href'))).toEqual([href]);
});

it('a page is signed with its name and host, which lead to the home page', () => {
  const plate = renderPage({})
    .findAll('a')
    .find((link) => attribute(link, 'class') === 'plate');
  expect([readText(plate!), attribute(plate!, 'href')]).toEqual([
    '@jane-doe · example.org',
    'https://example.org/',
  ]);
});
