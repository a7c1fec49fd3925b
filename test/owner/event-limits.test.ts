import { expect, it } from 'vitest';
import { type EventType, EVENT_TYPES_BY_KIND } from '#contract/shared/event-types.ts';
import { deleteEventsBeyond } from '#db/queries/events.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

it('security events and other events do not displace each other', async () => {
  const { db } = server.database;
  const { id } = await server.createAccount();
  const log = (type: 'key_created' | 'forwarding_updated', minute: number, detail = '{}') =>
    db
      .insertInto('events')
      .values({
        account_id: id,
        type,
        outcome: 'succeeded',
        detail,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      })
      .execute();
  for (const minute of [0, 1, 2]) await log('key_created', minute);
  await log('forwarding_updated', 3, '{"destination_changed": true}');
  for (let minute = 4; minute < 14; minute += 1)
    await log('forwarding_updated', minute, '{"destination_changed": false}');
  await deleteEventsBeyond(db, id, 3);
  const remaining = await db
    .selectFrom('events')
    .select('created_at')
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();
  expect(remaining.map(({ created_at }) => created_at.getUTCMinutes())).toEqual([
    1, 2, 3, 11, 12, 13,
  ]);
});

it('frequent events of programs do not displace logins and keys', async () => {
  const { db } = server.database;
  const { id } = await server.createAccount();
  const log = (types: readonly EventType[], day: number) =>
    db
      .insertInto('events')
      .values(
        types.map((type) => ({
          account_id: id,
          type,
          outcome: 'succeeded' as const,
          detail: '{}',
          created_at: new Date(Date.UTC(2026, 0, day)),
        })),
      )
      .execute();
  const { login, key, account, ...others } = EVENT_TYPES_BY_KIND;
  const security = [...login, ...key, ...account];
  await log(security, 1);
  for (let day = 2; day < 5; day += 1) await log(Object.values(others).flat(), day);
  await deleteEventsBeyond(db, id, security.length);
  const remaining = await db
    .selectFrom('events')
    .select('type')
    .where('account_id', '=', id)
    .where('type', 'in', security)
    .execute();
  expect(remaining.map(({ type }) => type).toSorted()).toEqual(security.toSorted());
});
