import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';

export async function findDestination(
  db: Kysely<Database>,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('postfix_aliases')
    .select('destination')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.destination;
}
