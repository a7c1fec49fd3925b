import { expect, it } from 'vitest';
import { type EventType, EVENT_TYPES_BY_KIND } from '#contract/shared/event-types.ts';
import { deleteEventsBeyond } from '#db/queries/events.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('security events and other events do not displace each other', async () => {
  const { id } = await server.createAccount();
  const log = (type: EventType, minute: number, detail = '{}') =>
    server.sql`INSERT INTO events (account_id, type, outcome, detail, created_at)
      VALUES (${id}, ${type}, 'succeeded', ${detail}, ${new Date(Date.UTC(2026, 0, 1, 0, minute))})`;
  for (const minute of [0, 1, 2]) await log('key_created', minute);
  await log('forwarding_updated', 3, '{"destination_changed": true}');
  for (let minute = 4; minute < 14; minute += 1)
    await log('forwarding_updated', minute, '{"destination_changed": false}');
  await deleteEventsBeyond(server.db, id, 3);
  const remaining = await server.sql<{ created_at: Date }>`SELECT created_at FROM events
    WHERE account_id = ${id} ORDER BY created_at`;
  const minutes = remaining.map(({ created_at }) => created_at.getUTCMinutes());
  expect(minutes).toEqual([1, 2, 3, 11, 12, 13]);
});

it('frequent events of programs do not displace logins and keys', async () => {
  const { id } = await server.createAccount();
  const log = (types: readonly EventType[], day: number) =>
    server.sql`INSERT INTO events (account_id, type, outcome, detail, created_at)
      SELECT ${id}, type, 'succeeded', '{}', ${new Date(Date.UTC(2026, 0, day))}
      FROM unnest(${[...types]}::text[]) AS type`;
  const { login, key, account, ...others } = EVENT_TYPES_BY_KIND;
  const security = [...login, ...key, ...account];
  await log(security, 1);
  for (let day = 2; day < 5; day += 1) await log(Object.values(others).flat(), day);
  await deleteEventsBeyond(server.db, id, security.length);
  const remaining = await server.sql<{ type: string }>`SELECT type FROM events
    WHERE account_id = ${id} AND type = ANY(${security})`;
  expect(remaining.map(({ type }) => type).toSorted()).toEqual(security.toSorted());
});

it('events that a weekly summary counts stay until it is sent', async () => {
  const { id } = await server.createAccount();
  for (const type of ['contact_message_received', 'page_changed'])
    await server.sql`INSERT INTO events (account_id, type, outcome, created_at)
      SELECT ${id}, ${type}, 'succeeded', now() - age * interval '10 days' FROM generate_series(1, 2) AS age`;
  await deleteEventsBeyond(server.db, id, 1);
  const remaining = await server.sql<{ type: string }>`SELECT type FROM events
    WHERE account_id = ${id} ORDER BY type`;
  expect(remaining.map(({ type }) => type)).toEqual(['contact_message_received', 'page_changed']);
});
