import type { Requester } from './api-promise.ts';
import { Owner } from './generated/owner-operations.ts';

/**
 * Returns the operations for account owners. They use the key, retries and errors of the client.
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

export { readRows } from './read-rows.ts';
export type * from './generated/owner-operations.ts';
