import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { BadRequestError, type ListPromise, Nameplate } from '../../client/src/index.ts';
import { type Event, ownerOf } from '../../client/src/owner.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { collectOperations } from '../../openapi/collect-operations.ts';
import { useServer } from '../support/use-server.ts';
import { json, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';

describe('every list of the contracts', async () => {
  const walks = await Promise.all([
    collectOperations(contract),
    collectOperations(ownerContract as Contract),
  ]);
  const reads = walks.flatMap(({ operations, schemas }) =>
    operations
      .filter(({ method, route }) => method === 'GET' && !route.metadata.fileTypes)
      .map(({ area, id, route, responses, parameters }) => ({
        area,
        id,
        list: route.metadata.listField,
        fields: schemas[responses[200] ?? '']?.properties ?? {},
        takesCursor: parameters.some(({ name }) => name === 'after'),
      })),
  );

  it('is recognized by its name and its cursor', () => {
    expect(reads.filter(({ list }) => list).length).toBeGreaterThan(15);
    for (const { id, list, fields, takesCursor } of reads) {
      expect('next' in fields, id).toBe(takesCursor);
      if (takesCursor || id.startsWith('list')) expect(list, id).toBeDefined();
      if (list !== undefined) expect(fields[list]?.type, id).toBe('array');
    }
  });

  it.for(reads.filter(({ list }) => list !== undefined))(
    '$id supports for await',
    async ({ area, id, list, takesCursor }) => {
      const { url, received } = await startServer((response, _request, count) =>
        json(response, 200, { [list!]: [count], next: takesCursor && count < 3 ? 'a b' : null }),
      );
      const client = new Nameplate({ apiKey, baseUrl: url });
      const areas = { ...client, ...ownerOf(client) } as unknown as Record<string, object>;
      const calls = areas[area] as Record<string, (query?: object) => ListPromise<unknown, number>>;
      const entries = await entriesOf(calls[id]!(takesCursor ? { limit: 1 } : undefined));
      expect(entries).toEqual(takesCursor ? [1, 2, 3] : [1]);
      expect(received.map((request) => request.url.split('?')[1])).toEqual(
        takesCursor ? ['limit=1', 'limit=1&after=a+b', 'limit=1&after=a+b'] : [undefined],
      );
    },
  );
});

describe('a list', () => {
  const { server } = useServer();

  it('yields every item once, also from a start cursor', async () => {
    const account = await server.createAccount();
    const owner = ownerOf(account.client);
    for (const name of ['One', 'Two', 'Three']) await owner.keys.createKey({ label: name });
    const { events, next } = await owner.events.listEvents({ limit: 1 });
    expectTypeOf(events).toEqualTypeOf<Event[]>();
    const all: string[] = [];
    for await (const event of owner.events.listEvents({ limit: 1 })) {
      expectTypeOf(event).toEqualTypeOf<Event>();
      all.push(event.id);
    }
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(new Set(all).size).toBe(all.length);
    const rest = await entriesOf(owner.events.listEvents({ limit: 2, after: next! }));
    expect([...events, ...rest].map(({ id }) => id)).toEqual(all);
  });

  it('fetches a page only when it is needed, and throws its error', async () => {
    const { url, received } = await startServer((response, _request, count) =>
      count < 3
        ? json(response, 200, { events: [count, count], next: 'more' })
        : json(response, 400, { error: 'after must be the id of one of your events.' }),
    );
    const owner = ownerOf(new Nameplate({ apiKey, baseUrl: url, maxRetries: 0 }));
    const iterator = owner.events.listEvents()[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await iterator.return?.();
    expect(received).toHaveLength(1);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const event of owner.events.listEvents()) seen.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(BadRequestError);
    expect(seen).toEqual([2, 2]);
  });
});

async function entriesOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const entries: Item[] = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}
