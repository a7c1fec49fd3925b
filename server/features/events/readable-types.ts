import { isServerEvent } from '#contract/shared/event-types.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { isOperator } from '#db/queries/operators.ts';
import type { Caller } from '#server/platform/caller.ts';

type Reader = Pick<Caller, 'accountId' | 'scope'>;

/** Events of the server name members and reports, so they need the rights of an operator. */
export async function mayReadServerEvents(
  db: ReadDatabase,
  { accountId, scope }: Reader,
): Promise<boolean> {
  return scope === 'operator' && isOperator(db, accountId);
}

export async function readableTypes<Type extends string>(
  db: ReadDatabase,
  reader: Reader,
  types: readonly Type[],
): Promise<readonly Type[]> {
  return (await mayReadServerEvents(db, reader))
    ? types
    : types.filter((type) => !isServerEvent(type));
}
