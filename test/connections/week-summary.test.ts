import { expect, it } from 'vitest';
import type { VisitKind } from '#contract/shared/visits.ts';
import { addPageVisits } from '#db/queries/page-visits.ts';
import { latestWeek } from '#server/features/events/latest-week.ts';
import { sendWeekSummaries } from '#server/features/week-summaries/week-summary-job.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { connect, runDeliveries, useConnections } from './support/connection-app.ts';

const { receiver, server } = await useConnections({
  mailEnabled: true,
  PUBLIC_URL: 'https://names.example',
});

const MONDAY = '2026-11-30';
const WEEK = { since: '2026-11-23', until: '2026-11-29' };
const AT_8 = new Date(`${MONDAY}T08:01:00Z`);

const send = (now: Date, { nameplate } = server) => sendWeekSummaries(nameplate, now);

async function createAccount(createdAt = '2026-01-01T00:00:00Z', account?: TestAccount) {
  const created = account ?? (await server.createAccount());
  await server.sql`UPDATE accounts SET created_at = ${createdAt} WHERE id = ${created.id}`;
  return created;
}

async function subscribe(account: TestAccount, types: 'week_summary'[] = ['week_summary']) {
  const hook = receiver.addHook();
  const { id } = await connect(account, hook.url, { event_types: types });
  const received = async () => {
    await runDeliveries(server);
    const bodies = hook.requests.splice(0).map(({ body }) => JSON.parse(body) as object);
    return bodies.map((event) => ({ ...event, timestamp: undefined }));
  };
  return { id, received };
}

async function storeVisits(accountId: string, rows: [VisitKind, string, number, string?][]) {
  const visits = rows.map(([kind, value, count, day = '2026-11-29']) => ({
    kind,
    value,
    count,
    day,
  }));
  await addPageVisits(
    server.db,
    visits.map((visit) => ({ accountId, ...visit })),
  );
}

it.each([
  ['UTC', '2026-11-30T07:59:59Z', ['2026-11-23', '2026-11-16', '2026-11-22']],
  ['UTC', '2026-11-30T08:00:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  ['UTC', '2026-11-30T23:59:59Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  ['UTC', '2026-12-06T23:59:59Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  [null, '2026-11-30T08:00:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  ['Mars/Olympus_Mons', '2026-11-30T08:00:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  ['Asia/Kathmandu', '2026-11-30T02:14:59Z', ['2026-11-23', '2026-11-16', '2026-11-22']],
  ['Asia/Kathmandu', '2026-11-30T02:15:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  // The UTC day of the send time is Sunday, also if the summary is late.
  ['Pacific/Kiritimati', '2026-11-29T18:00:00Z', ['2026-11-30', '2026-11-22', '2026-11-28']],
  ['Pacific/Kiritimati', '2026-11-30T09:59:00Z', ['2026-11-30', '2026-11-22', '2026-11-28']],
  ['Pacific/Pago_Pago', '2026-11-30T19:00:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  ['Pacific/Pago_Pago', '2026-12-01T10:59:00Z', ['2026-11-30', '2026-11-23', '2026-11-29']],
  // Clocks changed on the day before.
  ['Europe/Berlin', '2026-03-30T05:59:00Z', ['2026-03-23', '2026-03-16', '2026-03-22']],
  ['Europe/Berlin', '2026-03-30T06:00:00Z', ['2026-03-30', '2026-03-23', '2026-03-29']],
  ['Europe/Berlin', '2026-10-26T06:59:00Z', ['2026-10-19', '2026-10-12', '2026-10-18']],
  ['Europe/Berlin', '2026-10-26T07:00:00Z', ['2026-10-26', '2026-10-19', '2026-10-25']],
] as const)('in %s at %s, the latest week is %j', (zone, now, [monday, since, until]) => {
  expect(latestWeek(new Date(now), zone)).toEqual({ monday, since, until });
});

it('the summary of a week is sent once a week, by several servers and after a restart, only to who chose it', async () => {
  const account = await createAccount();
  const chosen = await subscribe(account);
  const other = await subscribe(account, []);
  await storeVisits(account.id, [
    ['view', '', 4],
    ['view', '', 3, '2026-11-23'],
    ['view', '', 90, '2026-11-22'],
    ['view', '', 90, '2026-11-30'],
    ['click', '', 2],
    ['link', 'https://shop.example/', 2],
    ['referrer', 'direct', 5],
    ['referrer', 'other', 9],
    ['referrer', 'news.example', 2],
  ]);
  await server.sql`INSERT INTO events (account_id, type, outcome, created_at) VALUES
    (${account.id}, 'contact_message_received', 'succeeded', '2026-11-29 23:59:59Z'),
    (${account.id}, 'contact_message_received', 'succeeded', '2026-11-30 00:00:00Z')`;
  // At once for a new subscriber, as an example.
  await send(new Date('2026-11-28T12:00:00Z'));
  expect(await chosen.received()).toMatchObject([{ data: { since: '2026-11-16' } }]);
  await send(new Date('2026-11-30T07:59:00Z'));
  expect(await chosen.received()).toEqual([]);
  await Promise.all([send(AT_8), send(AT_8), send(AT_8)]);
  const restarted = await startTestApp({}, server.database);
  await send(new Date(`${MONDAY}T22:00:00Z`), restarted);
  await restarted.app.close();
  expect(await chosen.received()).toEqual([
    {
      type: 'week_summary',
      data: {
        ...WEEK,
        ...{ views: 7, clicks: 2, messages: 1 },
        top_link: { value: 'https://shop.example/', count: 2 },
        top_referrer: { value: 'news.example', count: 2 },
      },
    },
  ]);
  expect(await other.received()).toEqual([]);
  const { events } = await account.owner.events.listEvents({ type: 'page' });
  expect(events.map(({ summary }) => summary)).toContain(
    'Your week, 23\u2009–\u200929 November: 7 views, 2 clicks, 1 message. Most clicked: shop.example (2). Most views came from news.example (2)',
  );
  // After a server that was down from Monday to Thursday
  await send(new Date('2026-12-10T10:00:00Z'));
  expect(await chosen.received()).toMatchObject([{ data: { since: '2026-11-30', views: 90 } }]);
  await send(new Date('2026-12-11T10:00:00Z'));
  expect(await chosen.received()).toEqual([]);
});

it.each([
  // In the middle of the week before the latest Monday, and after it.
  ['2026-11-22T23:59:59Z', ['2026-11-16', '2026-11-23']],
  ['2026-11-23T00:00:00Z', ['2026-11-23']],
])('an account of %s gets the weeks of %j', async (createdAt, weeks) => {
  const { received } = await subscribe(await createAccount(createdAt));
  await send(new Date('2026-11-28T12:00:00Z'));
  await send(AT_8);
  expect(await received()).toMatchObject(weeks.map((since) => ({ data: { since } })));
});

it('the summary of a week follows the time zone of the account, but a new zone brings no second one', async () => {
  const account = await createAccount();
  const { received } = await subscribe(account);
  const setZone = (time_zone: string) => account.owner.account.updateTimeZone({ time_zone });
  await expect(setZone('Mars/Olympus_Mons')).rejects.toMatchObject({ code: 'timeZoneInvalid' });
  expect((await account.owner.sessions.getSession()).time_zone).toBeNull();
  await setZone('Pacific/Kiritimati');
  expect((await account.owner.sessions.getSession()).time_zone).toBe('Pacific/Kiritimati');
  await send(new Date('2026-11-29T18:01:00Z'));
  expect(await received()).toMatchObject([{ data: { since: '2026-11-22', until: '2026-11-28' } }]);
  await setZone('Pacific/Pago_Pago');
  await send(new Date('2026-11-29T18:02:00Z'));
  await send(new Date('2026-11-30T19:01:00Z'));
  expect(await received()).toEqual([]);
});

it('the summary of a week is in the language of the account, in one sentence for an empty week, at every kind of connection', async () => {
  const account = await createAccount();
  await account.owner.account.updateLanguage({ language: 'de' });
  await server.sql`UPDATE forwarding_settings SET login_email = 'jane@example.com'
    WHERE account_id = ${account.id}`;
  const bodies: string[] = [];
  const urls = ['slack', 'apprise'].map((kind) =>
    receiver.addHook((response, requests) => {
      bodies.push(requests.at(-1)!.body);
      response.end('ok');
    }, `/${kind}/notify/club`),
  );
  receiver.onRoot = ({ body }) => void bodies.push(body);
  const event_types: 'week_summary'[] = ['week_summary'];
  await connect(account, urls[0]!.url, { kind: 'slack', event_types });
  await connect(account, urls[1]!.url, { kind: 'apprise', event_types });
  await connect(account, `${receiver.origin}/my-topic`, { kind: 'ntfy', event_types });
  await account.owner.connections.createConnection({ kind: 'email', name: 'Mail', event_types });
  await send(AT_8);
  // An account has two attempts at a time.
  await eventually(async () => {
    await runDeliveries(server, { includeFuture: true });
    expect(bodies).toHaveLength(3);
  });
  const sentence =
    'In der Woche 23.–29. November wurden keine Aufrufe, Klicks oder Nachrichten gezählt.';
  expect(bodies.map((body) => JSON.parse(body) as object)).toEqual(
    expect.arrayContaining([
      { text: `🔔 names.example\n${sentence}\nhttps://names.example/dashboard/visitors` },
      expect.objectContaining({ body: `${sentence}\nhttps://names.example/dashboard/visitors` }),
      expect.objectContaining({ message: sentence }),
    ]),
  );
  const mails = await server.sql<{ data: object }>`SELECT data FROM pgboss.job
    WHERE name = 'mail' AND data->>'accountId' = ${account.id}`;
  expect(mails).toMatchObject([{ data: { event: { text: sentence } } }]);
});

it('the test of a weekly summary has the numbers so far, those of the server only for who may read them', async () => {
  const operator = await createOperator(server);
  const today = new Date().toISOString().slice(0, 10);
  await storeVisits(operator.id, [['view', '', 4, today]]);
  await server.sql`INSERT INTO events (account_id, type, outcome)
    VALUES (${operator.id}, 'member_joined', 'succeeded')`;
  const hook = receiver.addHook();
  const event_types: ('week_summary' | 'server_week_summary')[] = [
    'week_summary',
    'server_week_summary',
  ];
  const { id: connection_id } = await connect(operator, hook.url, { event_types });
  const { connections } = operator.owner;
  const sent = await connections.sendTestEvent({ connection_id });
  expect(sent.delivery).toMatchObject({
    data: { week_summary: { views: 4 }, server_week_summary: { joined: 1 } },
    summary: expect.stringMatching(
      /^Test with the numbers since the last Monday. Your week, .*: 4 views.* The week of the server, .*: 1 member joined/,
    ) as string,
  });
  expect(JSON.parse(hook.requests[0]!.body)).toMatchObject({ data: sent.delivery.data });
  const { api_key } = await operator.owner.keys.createKey({ scope: 'all' });
  const read = async (path: string, options = {}) =>
    (await call(server.app, { path: `/owner/connections/${path}`, key: api_key!, ...options }))
      .text;
  const texts = [
    await read('send-test-event', { method: 'POST', json: { connection_id } }),
    await read(`list-deliveries?connection_id=${connection_id}`),
    await read('list-connections'),
  ];
  for (const text of texts) {
    expect(text).toContain('Your week');
    expect(text).not.toMatch(/joined"|of the server/);
  }
  await connections.updateConnection({ connection_id, event_types: [] });
  const plain = await connections.sendTestEvent({ connection_id });
  expect(plain.delivery).toMatchObject({ data: {}, summary: 'Test' });
});

it('the summary of a week tells operators about the server, but no key and no account without their rights', async () => {
  const operator = await createAccount(undefined, await createOperator(server));
  const event_types: 'server_week_summary'[] = ['server_week_summary'];
  const member = await server.createAccount();
  await expect(connect(member, receiver.addHook().url, { event_types })).rejects.toMatchObject({
    code: 'operatorEventForbidden',
  });
  const hook = receiver.addHook();
  const { id } = await connect(operator, hook.url, { event_types });
  await server.sql`INSERT INTO events (account_id, type, outcome, created_at)
    SELECT ${operator.id}, type, 'succeeded', ${WEEK.since}::timestamptz FROM unnest(
      ARRAY['member_joined', 'member_joined', 'member_left', 'page_reported', 'backup_failed']) AS type`;
  await send(AT_8);
  await runDeliveries(server);
  const { deliveries } = await operator.owner.connections.listDeliveries({ connection_id: id });
  expect(deliveries).toMatchObject([
    {
      data: { ...WEEK, joined: 2, left: 1, reports: 1, failed_backups: 1, last_backup_at: null },
      summary:
        'The week of the server, 23\u2009–\u200929 November: 2 members joined, 1 member left, 1 new report, backups failed on 1 day',
    },
  ]);
  await server.sql`DELETE FROM operators WHERE account_id = ${operator.id}`;
  await send(new Date('2026-12-07T08:01:00Z'));
  await runDeliveries(server);
  expect(hook.requests).toHaveLength(1);
});
