import type { APIPromise } from './api-promise.ts';
import type { Nameplate } from './client.ts';
import type { RequestOptions } from './options.ts';
import { operations, type Owner } from './owner-operations.ts';

type Table = Record<string, readonly [method: string, path: string, sent: boolean | 'query']>;
type Query = Record<string, string | number | boolean | undefined>;

/**
 * The operations of an account's owner, sent by a client: with its key, its retries and its errors.
 *
 * @example
 * ```ts
 * const owner = ownerOf(new Nameplate());
 * const { keys } = await owner.keys.listKeys();
 * ```
 */
export function ownerOf(client: Pick<Nameplate, 'request'>): Owner {
  // The table and the types are generated from the same contract, which is what makes this sound.
  return Object.fromEntries(
    Object.entries(operations).map(([name, table]) => [name, area(client, table)]),
  ) as unknown as Owner;
}

function area(client: Pick<Nameplate, 'request'>, table: Table) {
  return Object.fromEntries(
    Object.entries(table).map(([name, [method, path, sent]]) => [
      name,
      (...given: unknown[]): APIPromise<unknown> => {
        const first = sent === false ? undefined : given.shift();
        const [url, body] =
          sent === 'query' ? [path + search(first as Query), undefined] : [path, first];
        return client.request(method, url, body, given[0] as RequestOptions);
      },
    ]),
  );
}

function search(query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) given.set(name, String(value));
  const text = given.toString();
  return text && `?${text}`;
}

export type * from './owner-operations.ts';
