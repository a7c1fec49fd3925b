import type { ReadDatabase } from '#db/connections/handles.ts';

export async function findDestination(db: ReadDatabase, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('postfix_aliases')
    .select('destination')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.destination;
}
