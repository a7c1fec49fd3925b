import { sql } from 'kysely';
import type { ReadDatabase } from './handles.ts';

/** Throws the same error as a write if the server is read-only. */
export async function assertWritable(db: ReadDatabase): Promise<void> {
  await sql`DO $$ BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the server is read-only';
    END IF;
  END $$`.execute(db);
}
