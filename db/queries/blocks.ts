import { sql } from 'kysely';
import type { Block } from '#contract/index.ts';
import type { Transaction } from '#db/connections/handles.ts';

export async function upsertBlocks(
  trx: Transaction,
  accountId: string,
  blocks: readonly Block[],
): Promise<void> {
  const rows = blocks.map(({ id, type, enabled, content, url, ...fields }, position) => ({
    id,
    position,
    type,
    enabled,
    content,
    url,
    fields,
  }));
  // One parameter, so that there is one prepared statement for any number of blocks.
  await sql`
    INSERT INTO blocks (account_id, id, position, type, enabled, content, url, fields)
    SELECT ${accountId}::uuid, id, position, type, enabled, content, url, fields
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (
      id uuid, position integer, type text, enabled boolean, content text, url text, fields json
    )
    ON CONFLICT (account_id, id) DO UPDATE SET
      position = excluded.position, type = excluded.type, enabled = excluded.enabled,
      content = excluded.content, url = excluded.url, fields = excluded.fields,
      changed_at = CASE
        WHEN (blocks.type, blocks.enabled, blocks.content, blocks.url, blocks.fields::text)
          IS DISTINCT FROM (excluded.type, excluded.enabled, excluded.content, excluded.url,
            excluded.fields::text) THEN now()
        ELSE blocks.changed_at
      END`.execute(trx);
}

export async function deleteBlocksExcept(
  trx: Transaction,
  accountId: string,
  keep: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('blocks')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id <> ALL (${keep}::uuid[])`)
    .execute();
}
