import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { CarriedEventType } from '#contract/shared/event-types.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { resumeDeliveries } from '#server/features/connections/delivery-job.ts';
import { logServerEvent } from '#server/features/events/log-event.ts';
import { removeKeeper } from '#server/features/keepers/change-keepers.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { setSuspended } from '../support/suspend.ts';
import type { TestAccount } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';
import {
  connect,
  endPause,
  logEvents,
  namesIn,
  runDeliveries,
  useConnections,
} from './support/connection-app.ts';

const { receiver, server } = await useConnections();
let account: TestAccount;
let connections: TestAccount['owner']['connections'];
beforeEach(async () => {
  account = await server.createAccount();
  ({ connections } = account.owner);
});

const listDeliveries = async (connection_id: string) =>
  (await connections.listDeliveries({ connection_id })).deliveries;

async function findConnection(id: string) {
  return (await connections.listConnections()).connections.find((row) => row.id === id)!;
}

/** Seconds until the next attempt, rounded up to a multiple of 5. */
async function readPause(id: string) {
  const [row] = await server.sql<{ seconds: number | null }>`
    SELECT (ceil(extract(epoch FROM next_attempt_at - now()) / 5) * 5)::integer AS seconds
    FROM connections WHERE id = ${id}`;
  return row!.seconds;
}

const reportBackup = () =>
  inTransaction(server.db, (trx) =>
    logServerEvent(trx, server.nameplate, 'backup_failed', { error: 'space' }),
  );

/** Creates a connection whose receiver always gives the same answer. */
async function connectTo(kind: ConnectionKind, status: number, text: string) {
  const token = '1:answer';
  const answer = (response: ServerResponse) => void response.writeHead(status).end(text);
  const path = kind === 'telegram' ? `/bot${token}/sendMessage` : undefined;
  const hook = receiver.addHook(answer, path);
  receiver.onRoot = (_request, response) => answer(response);
  const paths: Record<string, string> = { telegram: '/sendMessage?chat_id=5', ntfy: '/topic' };
  const url = receiver.origin + (paths[kind] ?? hook.path);
  return (await connect(account, url, { kind, ...(path && { token }) })).id;
}

/** All but the third event are then three days old. */
async function failForThreeDays(id: string) {
  await server.sql`UPDATE connections SET failing_since = now() - interval '73 hours' WHERE id = ${id}`;
  await server.sql`UPDATE deliveries SET created_at = now() - interval '73 hours'
    WHERE connection_id = ${id} AND data->>'to' <> 'jane-3'`;
}

it('deliveries of a connection arrive in the order of the events, each with its own id', async () => {
  const hook = receiver.addHook();
  await connect(account, hook.url);
  await logEvents(server, account, 250);
  await runDeliveries(server);
  expect(namesIn(hook.requests)).toEqual(
    Array.from({ length: 250 }, (_, index) => `jane-${index + 1}`),
  );
  const ids = hook.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(250);
  await runDeliveries(server, { includeFuture: true });
  expect(
    await server.sql`SELECT FROM pgboss.job
      WHERE name = 'delivery' AND state = 'created'`,
  ).toEqual([]);
});

it('deliveries of a connection are only of the types that it carries, and stop when it is switched off', async () => {
  const hook = receiver.addHook();
  const { id } = await connect(account, hook.url, { event_types: ['key_created'] });
  await logEvents(server, account, 1);
  await connections.updateConnection({
    connection_id: id,
    event_types: ['display_name_updated'],
  });
  await logEvents(server, account, 2, 2);
  await connections.updateConnection({ connection_id: id, enabled: false });
  await logEvents(server, account, 3, 3);
  await runDeliveries(server);
  expect(hook.requests).toEqual([]);
  expect(await listDeliveries(id)).toMatchObject([
    { data: { to: 'jane-2' }, status: 'failed', error: 'The connection was switched off.' },
  ]);
  const { connection } = await connections.updateConnection({ connection_id: id, enabled: true });
  expect(connection).toMatchObject({ disabled_at: null, event_types: ['display_name_updated'] });
  await logEvents(server, account, 4, 4);
  await runDeliveries(server);
  expect(namesIn(hook.requests)).toEqual(['jane-4']);
});

it('deliveries of a connection wait after a failure, longer each time, and then arrive in order with the same ids', async () => {
  const hook = receiver.addHook((response, { length }) =>
    response.writeHead(length <= 3 ? 503 : 204).end('not now'),
  );
  const { id } = await connect(account, hook.url);
  await logEvents(server, account, 2);
  for (const seconds of [5, 30, 120]) {
    await runDeliveries(server, { includeFuture: true });
    expect(await readPause(id)).toBe(seconds);
    // A new event does not end the pause.
    await runDeliveries(server, { includeFuture: true });
    await endPause(server, id);
  }
  expect(namesIn(hook.requests)).toEqual(['jane-1', 'jane-1', 'jane-1']);
  expect(await findConnection(id)).toMatchObject({
    failing_since: expect.any(String),
    pending: 2,
    last_delivery: {
      ...{ status: 'pending', attempts: 3, response_status: 503, response: 'not now' },
      error: 'The receiver answered with the status 503.',
    },
  });
  await runDeliveries(server, { includeFuture: true });
  expect(namesIn(hook.requests).slice(3)).toEqual(['jane-1', 'jane-2']);
  expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  expect(await findConnection(id)).toMatchObject({
    ...{ failing_since: null, next_attempt_at: null, pending: 0 },
  });
});

it('deliveries of a connection wait as long as the receiver asks for, but not longer than six hours', async () => {
  const hook = receiver.addHook((response) =>
    response.writeHead(429, { 'retry-after': '999999' }).end(),
  );
  const { id } = await connect(account, hook.url);
  await logEvents(server, account, 1);
  await runDeliveries(server);
  expect(await readPause(id)).toBe(6 * 3_600);
});

it('deliveries of a connection fail for good after three days', async () => {
  const hook = receiver.addHook((response) => response.writeHead(500).end());
  const { id } = await connect(account, hook.url);
  await logEvents(server, account, 3);
  await failForThreeDays(id);
  await runDeliveries(server);
  expect(await listDeliveries(id)).toMatchObject([
    { data: { to: 'jane-3' }, status: 'pending', attempts: 0 },
    { status: 'failed', attempts: 0, error: 'The receiver failed for three days.' },
    { status: 'failed', attempts: 1, error: 'The receiver answered with the status 500.' },
  ]);
});

it('deliveries of a connection give up the oldest beyond 10,000 that wait, and say so', async () => {
  const hook = receiver.addHook((response) => response.writeHead(503).end());
  const { id } = await connect(account, hook.url);
  await server.sql`INSERT INTO deliveries (connection_id, type, data)
      SELECT ${id}, 'display_name_updated', jsonb_build_object('to', 'jane-' || number)
      FROM generate_series(1, 10149) AS number`;
  await logEvents(server, account, 10_150, 10_150);
  await runDeliveries(server);
  expect(await findConnection(id)).toMatchObject({ pending: 10_000 });
  const deliveries = await listDeliveries(id);
  expect(deliveries.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 50 }, () => 'pending'),
    ...Array.from({ length: 50 }, () => 'failed'),
  ]);
  expect(deliveries[50]).toMatchObject({
    data: { to: 'jane-150' },
    error: 'More than 10,000 events were waiting.',
  });
  const [rows] = await server.sql<{ count: number }>`
      SELECT count(*)::integer FROM deliveries WHERE connection_id = ${id}`;
  expect(rows!.count).toBe(10_100);
});

it('deliveries of a connection continue at once after a test that arrived', async () => {
  let isDown = true;
  const hook = receiver.addHook((response) => response.writeHead(isDown ? 503 : 204).end());
  const { id } = await connect(account, hook.url);
  await logEvents(server, account, 2);
  await runDeliveries(server);
  isDown = false;
  await connections.sendTestEvent({ connection_id: id });
  await runDeliveries(server);
  expect(namesIn(hook.requests)).toEqual(['jane-1', undefined, 'jane-1', 'jane-2']);
});

const mattermost = (id: string) => JSON.stringify({ id, message: 'x', status_code: 400 });
const telegram = (error_code: number, description: string) =>
  JSON.stringify({ ok: false, error_code, description });
const rocketChat = (error: string) => JSON.stringify({ success: false, error });
it.each<[kind: ConnectionKind, status: number, text: string, outcome: 'gone' | 'refused' | number]>(
  [
    ['webhook', 410, 'Gone', 'gone'],
    // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
    ['slack', 404, 'no_service', 'gone'],
    ['slack', 404, 'no_service_id', 'gone'],
    ['slack', 404, 'no_active_hooks', 'gone'],
    ['slack', 404, 'no_team', 'gone'],
    ['slack', 403, 'invalid_token\n', 'gone'],
    ['slack', 410, 'channel_is_archived', 3_600],
    ['slack', 403, 'action_prohibited', 3_600],
    ['slack', 403, 'posting_to_general_channel_denied', 3_600],
    ['slack', 400, 'invalid_payload', 'refused'],
    ['slack', 500, 'rollup_error', 5],
    ['slack', 404, '<html>no_service</html>', 5],
    // The same answer for a webhook that was deleted and for a database that does not respond:
    // mattermost/mattermost, server/channels/app/webhook.go
    ['slack', 400, mattermost('web.incoming_webhook.invalid.app_error'), 3_600],
    ['slack', 501, mattermost('web.incoming_webhook.disabled.app_error'), 3_600],
    ['slack', 500, mattermost('app.channel.get.find.app_error'), 5],
    // Rocket.Chat: apps/meteor/app/integrations/server/api/api.ts
    ['slack', 404, rocketChat('Invalid integration id or token provided.'), 'gone'],
    ['slack', 400, rocketChat('Invalid integration id or token provided.'), 'gone'],
    ['slack', 410, 'Gone', 'gone'],
    ['slack', 503, rocketChat('Service Unavailable'), 3_600],
    ['slack', 503, '<html>503 Service Unavailable</html>', 5],
    // tdlib/telegram-bot-api: telegram-bot-api/ClientManager.cpp
    ['telegram', 401, telegram(401, 'Unauthorized: invalid token specified'), 'gone'],
    ['telegram', 401, '<html>401 Authorization Required</html>', 5],
    ['telegram', 403, telegram(403, 'Forbidden: bot was kicked from the group chat'), 3_600],
    ['telegram', 400, telegram(400, 'Bad Request: chat not found'), 3_600],
    ['telegram', 400, telegram(400, "Bad Request: can't parse entities: x"), 'refused'],
    ['telegram', 400, telegram(400, 'Bad Request: message is too long'), 'refused'],
    // https://docs.ntfy.sh/config/#access-control
    ['ntfy', 403, '{"code":40301,"http":403,"error":"forbidden"}', 3_600],
    ['webhook', 403, '{"code":40301,"http":403,"error":"forbidden"}', 5],
  ],
)('deliveries to the kind %s that get %i %j are gone, refused or wait: %s', async (...row) => {
  const [kind, status, text, outcome] = row;
  const id = await connectTo(kind, status, text);
  await logEvents(server, account, 3);
  await runDeliveries(server);
  await runDeliveries(server, { includeFuture: true });
  const isPaused = typeof outcome === 'number';
  expect(await readPause(id)).toBe(isPaused ? outcome : null);
  const reason = outcome === 'gone' ? 'gone' : null;
  expect(await findConnection(id)).toMatchObject({
    ...{ disabled_reason: reason, pending: isPaused ? 3 : 0 },
  });
  const attempts = (await listDeliveries(id)).map((delivery) => delivery.attempts);
  expect(attempts).toEqual(outcome === 'refused' ? [1, 1, 1] : [0, 0, 1]);
  const { events } = await account.owner.events.listEvents({ limit: 1 });
  const summary = '“shop” switched off: its address or token is no longer valid';
  if (reason) expect(events[0]).toMatchObject({ type: 'connection_disabled', summary });
  // Its next attempt would take part in the limits of the host in other tests.
  await connections.deleteConnection({ connection_id: id });
});

it('deliveries of a connection are kept for the last 100, and each can be sent again with the same id', async () => {
  const hook = receiver.addHook();
  const { id, secret } = await connect(account, hook.url);
  await logEvents(server, account, 130);
  await runDeliveries(server);
  const deliveries = await listDeliveries(id);
  expect(deliveries).toHaveLength(100);
  const [rows] = await server.sql<{ count: number }>`
      SELECT count(*)::integer FROM deliveries WHERE connection_id = ${id}`;
  expect(rows!.count).toBe(100);
  const { delivery } = await connections.sendDelivery({ delivery_id: deliveries[7]!.id });
  expect(delivery).toMatchObject({ id: deliveries[7]!.id, status: 'delivered', attempts: 2 });
  const { body, headers } = hook.requests.at(-1)!;
  expect(headers['webhook-id']).toBe(deliveries[7]!.id);
  expect(new Webhook(secret).verify(body, headers as never)).toMatchObject({
    data: { to: 'jane-123' },
  });
});

it.each([410, 500])(
  'deliveries of a connection stay delivered if they are sent again and get %s',
  async (again) => {
    let status = 204;
    const hook = receiver.addHook((response) => response.writeHead(status).end());
    const { id } = await connect(account, hook.url);
    await logEvents(server, account, 1);
    await runDeliveries(server);
    status = again;
    const [sent] = await listDeliveries(id);
    const { delivery } = await connections.sendDelivery({ delivery_id: sent!.id });
    const error = expect.stringContaining(`${again}`);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, error });
    expect(await connections.sendFailedDeliveries({ connection_id: id })).toEqual({ count: 0 });
  },
);

it('deliveries of a connection that failed are sent again together, in order and once, without tests', async () => {
  let status = 500;
  const hook = receiver.addHook((response) => response.writeHead(status).end());
  const { id } = await connect(account, hook.url);
  await connections.sendTestEvent({ connection_id: id });
  await logEvents(server, account, 3);
  await failForThreeDays(id);
  await runDeliveries(server);
  // Another failure is not the last attempt, although the events are old.
  const retry = { connection_id: id };
  expect(await connections.sendFailedDeliveries(retry)).toEqual({ count: 2 });
  await runDeliveries(server);
  expect(namesIn(hook.requests).slice(1)).toEqual(['jane-1', 'jane-1']);
  expect(await connections.sendFailedDeliveries(retry)).toEqual({ count: 0 });
  status = 204;
  await runDeliveries(server);
  expect(namesIn(hook.requests).slice(3)).toEqual(['jane-1', 'jane-2', 'jane-3']);
  expect(await connections.sendFailedDeliveries(retry)).toEqual({ count: 0 });
  await connections.updateConnection({ ...retry, enabled: false });
  await expect(connections.sendFailedDeliveries(retry)).rejects.toMatchObject({
    code: 'connectionSwitchedOff',
  });
  const other = (await server.createAccount()).owner.connections;
  await expect(other.sendFailedDeliveries(retry)).rejects.toMatchObject({
    code: 'connectionNotFound',
  });
});

it('deliveries of a connection are signed with two keys for a day after a new key', async () => {
  const hook = receiver.addHook();
  const { id, secret: former } = await connect(account, hook.url);
  const { secret } = await connections.createSecret({ connection_id: id });
  const sendTest = async () => {
    await connections.sendTestEvent({ connection_id: id });
    const { body, headers } = hook.requests.at(-1)!;
    return [former, secret!].map((key) => {
      try {
        return new Webhook(key).verify(body, headers as never) !== undefined;
      } catch {
        return false;
      }
    });
  };
  expect(await sendTest()).toEqual([true, true]);
  const formerUntil = async () => (await findConnection(id)).former_secret_until;
  expect(Date.parse((await formerUntil())!)).toBeGreaterThan(Date.now() + HOUR_MS);
  await server.sql`UPDATE connections SET former_secret_until = now() - interval '1 second'
      WHERE id = ${id}`;
  expect(await sendTest()).toEqual([false, true]);
  expect(await formerUntil()).toBeNull();
});

it('deliveries of a connection wait while the account is suspended, and continue when it is resumed', async () => {
  const hook = receiver.addHook();
  await connect(account, hook.url);
  await logEvents(server, account, 1);
  await setSuspended(server, account.id);
  await runDeliveries(server, { includeFuture: true });
  expect(hook.requests).toEqual([]);
  await setSuspended(server, account.id, false);
  await runDeliveries(server);
  expect(namesIn(hook.requests)).toEqual(['jane-1']);
});

it.each(['resumed', 'replaced'])(
  'deliveries of a connection wait until the suspended keeper who made it is %s, and lead to the kept account',
  async (end) => {
    const hook = receiver.addHook();
    const [owner, keeper] = [await server.createAccount(), await server.createAccount()];
    const { id } = await connect(account, hook.url, { kind: 'slack' });
    await server.sql`UPDATE connections SET actor_id = ${keeper.id} WHERE id = ${id}`;
    await server.sql`INSERT INTO keepers (account_id, keeper_id, is_owner)
    VALUES (${account.id}, ${owner.id}, true), (${account.id}, ${keeper.id}, false)`;
    await logEvents(server, account, 1);
    await setSuspended(server, keeper.id);
    await runDeliveries(server, { includeFuture: true });
    expect(hook.requests).toEqual([]);
    if (end === 'resumed') await setSuspended(server, keeper.id, false);
    else {
      const change = { accountId: account.id, actorId: owner.id, keeperId: keeper.id, by: '' };
      await inTransaction(server.db, (trx) =>
        removeKeeper(trx, server.nameplate, { ...change, handTo: owner.id }, () =>
          expect.fail('refused'),
        ),
      );
    }
    await runDeliveries(server);
    const { text } = JSON.parse(hook.requests[0]!.body) as { text: string };
    expect(text).toMatch(new RegExp(`jane-1[^]*/dashboard/for/${account.id}/$`));
  },
);

it('deliveries of a connection continue after a restore, which has no jobs', async () => {
  const hook = receiver.addHook();
  await connect(account, hook.url);
  await logEvents(server, account, 1);
  await server.sql`DELETE FROM pgboss.job`;
  await runDeliveries(server);
  expect(hook.requests).toEqual([]);
  await resumeDeliveries(server.nameplate);
  await runDeliveries(server);
  expect(namesIn(hook.requests)).toEqual(['jane-1']);
});

it.each([204, 500])(
  'deliveries of a connection of a stalled run that gets %s leave the lease of its successor',
  async (code) => {
    fakeTimers(['performance']);
    const hook = receiver.addHook(async (response) => {
      await server.sql`UPDATE connections SET leased_until = 'infinity' WHERE account_id = ${account.id}`;
      vi.advanceTimersByTime(20_000);
      response.writeHead(code).end();
    });
    const { id } = await connect(account, hook.url);
    await logEvents(server, account, 2);
    await runDeliveries(server);
    expect(namesIn(hook.requests)).toEqual(['jane-1']);
    const [row] = await server.sql<{ leased: boolean; next_attempt_at: Date | null }>`
      SELECT leased_until = 'infinity' AS leased, next_attempt_at FROM connections WHERE id = ${id}`;
    expect(row).toEqual({ leased: true, next_attempt_at: null });
  },
);

it('deliveries of a connection are sent by one server at a time', async () => {
  const hook = receiver.addHook();
  await connect(account, hook.url);
  await logEvents(server, account, 50);
  await Promise.all([
    runDeliveries(server),
    logEvents(server, account, 100, 51).then(() => runDeliveries(server)),
  ]);
  await runDeliveries(server, { includeFuture: true });
  expect(namesIn(hook.requests)).toEqual(
    Array.from({ length: 100 }, (_, index) => `jane-${index + 1}`),
  );
});

it('a receiver that does not answer delays no other account', async () => {
  const released = Promise.withResolvers<void>();
  const dead = receiver.addHook((response) => released.promise.then(() => response.end()));
  for (let count = 0; count < 5; count += 1) await connect(account, dead.url);
  await logEvents(server, account, 1);
  const running = runDeliveries(server);
  await expect.poll(() => dead.requests.length).toBe(2);
  const other = await server.createAccount();
  const hook = receiver.addHook();
  await connect(other, hook.url);
  await logEvents(server, other, 1);
  const sending = runDeliveries(server);
  await expect.poll(() => namesIn(hook.requests)).toEqual(['jane-1']);
  expect(dead.requests).toHaveLength(2);
  released.resolve();
  await Promise.all([running, sending]);
  await runDeliveries(server, { includeFuture: true });
});

it('events of the server reach operators, and only as long as they are operators', async () => {
  const operator = await createOperator(server);
  const hook = receiver.addHook();
  await connect(operator, hook.url, { event_types: ['member_joined', 'backup_failed'] });
  await reportBackup();
  await runDeliveries(server);
  expect(hook.requests.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { type: 'backup_failed', data: { error: 'space' } },
  ]);
  await server.sql`DELETE FROM operators WHERE account_id = ${operator.id}`;
  await reportBackup();
  await runDeliveries(server);
  expect(hook.requests).toHaveLength(1);
  expect((await operator.owner.events.listEvents()).events).not.toContainEqual(
    expect.objectContaining({ type: 'backup_failed' }),
  );
});

it.each(['all', 'read'] as const)(
  'events of the server are hidden from a key with the scope %s',
  async (scope) => {
    const operator = await createOperator(server);
    const hook = receiver.addHook();
    const event_types: CarriedEventType[] = ['display_name_updated', 'page_reported'];
    const { id } = await connect(operator, hook.url, { event_types });
    await logEvents(server, operator, 1);
    const report = { display_name: 'secret-name', account_id: operator.id, reason: 'spam' };
    await inTransaction(server.db, (trx) =>
      logServerEvent(trx, server.nameplate, 'page_reported', report),
    );
    await runDeliveries(server);
    expect(hook.requests).toHaveLength(2);
    const read = async (key: string) => {
      const paths = [
        '/owner/events/list-events',
        '/owner/events/list-events?type=server',
        '/owner/connections/list-connections',
        `/owner/connections/list-deliveries?connection_id=${id}`,
      ];
      const pages = await Promise.all(paths.map((path) => call(server.app, { path, key })));
      const headers = { 'x-api-key': key };
      const url = '/owner/account/export-account';
      const zip = scope === 'all' && (await server.app.inject({ url, headers })).rawPayload;
      const files = zip ? [...(await unzip(zip)).values()] : [];
      return [...pages.map(({ text }) => text), ...files].join('\n');
    };
    const { api_key: key } = await operator.owner.keys.createKey({ scope });
    const [own, others] = [await read(operator.key), await read(key!)];
    expect(own).toContain('secret-name');
    expect(others).not.toContain('secret-name');
    expect(others).toContain('jane-1');
  },
);

/** A connection that carries them, and requests with a key that may not read them. */
async function createCarrier() {
  const operator = await createOperator(server);
  const hook = receiver.addHook();
  const { id } = await connect(operator, hook.url, { event_types: ['backup_failed'] });
  await reportBackup();
  const { api_key: key } = await operator.owner.keys.createKey({ scope: 'all' });
  const post = async (name: string, json: object) => {
    const path = `/owner/connections/${name}`;
    const { status, headers, text } = await call(server.app, {
      ...{ method: 'POST', path, json, key: key! },
    });
    return [status, headers['x-error-code'], text];
  };
  return { api: operator.owner.connections, hook, id, post };
}
const refused = (status: number, code: string) => [status, code, expect.any(String)];
const OK = [200, undefined, expect.any(String)];

it('events of the server are neither chosen nor sent again with a key that may not read them', async () => {
  const { api, hook, id, post } = await createCarrier();
  await runDeliveries(server);
  const { deliveries } = await api.listDeliveries({ connection_id: id });
  const forbidden = refused(403, 'operatorEventForbidden');
  const event_types = ['backup_failed', 'member_joined'];
  const fields = { kind: 'webhook', name: 'shop', url: hook.url, event_types };
  expect(await post('create-connection', fields)).toEqual(forbidden);
  const [status, , error] = await post('create-connection', {
    ...{ ...fields, event_types: ['alert_no_data'] },
  });
  expect(status).toBe(400);
  expect(error).toMatch(/one of page_.* alert_firing includes alert_no_data\."/);
  expect(await post('update-connection', { connection_id: id, event_types })).toEqual(forbidden);
  const same = { connection_id: id, name: 'renamed', event_types: ['backup_failed'] };
  expect(await post('update-connection', same)).toEqual(OK);
  const again = await post('send-delivery', { delivery_id: deliveries[0]!.id });
  expect(again[0]).toBe(404);
  expect(hook.requests).toHaveLength(1);
});

it.each(['carries', 'carried'])(
  'events of the server stay where they are sent with a key that may not read them, if a connection %s them',
  async (tense) => {
    const { api, id: connection_id, post } = await createCarrier();
    const { url } = receiver.addHook();
    const read = () => server.sql`SELECT * FROM connections WHERE id = ${connection_id}`;
    const change = (fields: object) => post('update-connection', { connection_id, ...fields });
    if (tense === 'carried') expect(await change({ event_types: [] })).toEqual(OK);
    else await server.sql`DELETE FROM deliveries WHERE connection_id = ${connection_id}`;
    // Switching it off sends nothing, so it stays allowed.
    expect(await change({ enabled: false, name: 'off' })).toEqual(OK);
    const before = await read();
    const forbidden = refused(403, 'operatorConnectionForbidden');
    for (const fields of [{ url }, { url, event_types: [] }, { enabled: true, name: 'on' }])
      expect(await change(fields)).toEqual(forbidden);
    expect(await post('create-secret', { connection_id })).toEqual(forbidden);
    expect(await read()).toEqual(before);
    await api.updateConnection({ connection_id, url, enabled: true });
    expect((await api.createSecret({ connection_id })).secret).toMatch(/^whsec_/);
  },
);
