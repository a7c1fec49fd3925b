import type { Kysely } from 'kysely';
import { findDisplayName } from '../../../db/queries/display-names.ts';
import type { Database } from '../../../db/schema.ts';
import { type Change, changesBy } from './change.ts';

/** Makes changes of an operator in a database, each with a line in its trail that names the operator. */
export async function changesByOperator(db: Kysely<Database>, operatorId: string): Promise<Change> {
  const name = await findDisplayName(db, operatorId);
  const who = name === undefined ? operatorId : `@${name} ${operatorId}`;
  return changesBy(db, { who, via: 'operator' });
}
