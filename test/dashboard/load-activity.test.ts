import { expect, it } from 'vitest';
import {
  type Entry,
  loadActivity,
  type Source,
} from '#dashboard/screens/activity/load-activity.ts';

/** A source with entries at these seconds, newest first, in batches of two. */
function createSource(name: Source['name'], seconds: readonly number[]): Source {
  const entries = seconds.map(
    (second) =>
      ({
        source: name,
        id: `${name} ${second}`,
        created_at: new Date(second * 1_000).toISOString(),
        ...(name === 'audit' ? { account_id: `${second}` } : { detail: {} }),
      }) as Entry,
  );
  return {
    name,
    load: async (after) => {
      const start = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
      const rows = entries.slice(start, start + 2);
      return { rows, next: entries.length > start + 2 ? rows.at(-1)!.id : null };
    },
  };
}

it('activity of several sources is merged into one order, each entry once', async () => {
  const sources = [
    createSource('events', [90, 80, 30, 20, 10]),
    createSource('requests', [85, 84, 83, 82]),
    createSource('audit', [15]),
  ];
  const batches: string[][] = [];
  for (let after: string | null | undefined; after !== null;) {
    const { rows, next } = await loadActivity(sources, after);
    batches.push(rows.map(({ id }) => id));
    after = next;
  }
  expect(batches).toEqual([
    ['events 90', 'requests 85', 'requests 84'],
    ['requests 83', 'requests 82', 'events 80', 'events 30'],
    ['events 20', 'audit 15', 'events 10'],
  ]);
});

it('an event that is also in the audit trail is listed once', async () => {
  const event = { source: 'events', created_at: '2026-11-30T12:00:00.000Z' };
  const rows = [
    { ...event, id: 'joined', detail: { account_id: 'new' } },
    { ...event, id: 'other', detail: { account_id: 'other' } },
    { ...event, id: 'own', detail: {} },
    { ...event, source: 'audit', id: 'created', account_id: 'new' },
  ] as unknown as Entry[];
  const source: Source = { name: 'events', load: async () => ({ rows, next: null }) };
  const list = await loadActivity([source]);
  expect(list.rows.map(({ id }) => id)).toEqual(['other', 'own', 'created']);
});
