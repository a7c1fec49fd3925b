import { describe, expect, expectTypeOf, it } from 'vitest';
import { BadRequestError, type ListPromise } from '#client/index.ts';
import { type Event, ownerOf } from '#client/owner.ts';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { collectOperations } from '#contract/openapi/collect-operations.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { respondJson } from '../support/listen.ts';
import { startClient } from './support/server.ts';

describe('every list of the contracts', () => {
  const collected = [contract, ownerContract as Contract].map(collectOperations);
  const getOperations = collected.flatMap(({ operations, schemas }) =>
    operations
      .filter(({ method, route }) => method === 'GET' && !route.metadata.fileTypes)
      .map(({ area, id, route, responses, parameters }) => ({
        area,
        id,
        listField: route.metadata.listField,
        fields: schemas[responses[200] ?? '']?.properties ?? {},
        hasCursor: parameters.some(({ name }) => name === 'after'),
      })),
  );

  it.for(getOperations.filter(({ listField }) => listField !== undefined))(
    'every list of the contracts can be iterated with for await: $id',
    async ({ area, id, listField, hasCursor }) => {
      const { client, received } = await startClient((response, _request, count) =>
        respondJson(response, 200, {
          [listField!]: [count],
          next: hasCursor && count < 3 ? 'a b' : null,
        }),
      );
      const areas = { ...client, ...ownerOf(client) } as unknown as Record<string, object>;
      const methods = areas[area] as Record<
        string,
        (query?: object) => ListPromise<unknown, number>
      >;
      const items = await collectItems(
        methods[id]!(hasCursor ? { limit: 1, after: 'x' } : undefined),
      );
      expect(items).toEqual(hasCursor ? [1, 2, 3] : [1]);
      expect(received.map((request) => request.url.split('?')[1])).toEqual(
        hasCursor ? ['limit=1&after=x', 'limit=1&after=a+b', 'limit=1&after=a+b'] : [undefined],
      );
    },
  );
});

it('a list fetches a page only when it is needed, and throws the error of a page', async () => {
  const { client, received } = await startClient((response, _request, count) =>
    count < 3
      ? respondJson(response, 200, { events: [count, count], next: 'more' })
      : respondJson(response, 400, { error: 'after must be the id of one of your events.' }),
  );
  const owner = ownerOf(client);
  const iterator = owner.events.listEvents()[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  await iterator.return?.();
  expect(received).toHaveLength(1);
  const items: unknown[] = [];
  const iteration = (async () => {
    for await (const event of owner.events.listEvents()) {
      expectTypeOf(event).toEqualTypeOf<Event>();
      items.push(event);
    }
  })();
  await expect(iteration).rejects.toBeInstanceOf(BadRequestError);
  expect(items).toEqual([2, 2]);
  await expect(owner.events.listEvents().toArray({ limit: 0 })).rejects.toThrow(BadRequestError);
});

it('a list becomes an array of all entries, or of the first ones without a batch too many', async () => {
  const { client, received } = await startClient((response, _request, count) =>
    respondJson(response, 200, { events: [count, -count], next: count % 3 ? 'more' : null }),
  );
  const owner = ownerOf(client);
  expect(await owner.events.listEvents().toArray()).toEqual([1, -1, 2, -2, 3, -3]);
  expect(await owner.events.listEvents().toArray({ limit: 2 })).toEqual([4, -4]);
  expect(received).toHaveLength(4);
  expect(await owner.events.listEvents().toArray({ limit: 3 })).toEqual([5, -5, 6]);
  expect(await owner.events.listEvents().toArray({ limit: 0 })).toEqual([]);
});

async function collectItems<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
