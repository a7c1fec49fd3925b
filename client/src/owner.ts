import type { Requester } from './api-promise.ts';
import { Owner } from './owner-operations.ts';

/**
 * The operations of an account's owner, sent by a client: with its key, its retries and its errors.
 *
 * @example
 * ```ts
 * const owner = ownerOf(new Nameplate());
 * const { keys } = await owner.keys.listKeys();
 * ```
 */
export function ownerOf(client: Requester): Owner {
  return new Owner(client);
}

export type * from './owner-operations.ts';
