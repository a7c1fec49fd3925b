import { type Kysely, sql } from 'kysely';

export async function up(trx: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE owner_mails DROP CONSTRAINT owner_mails_kind_check,
    ADD CONSTRAINT owner_mails_kind_check CHECK (kind IN (
      'login', 'key', 'passkey', 'identity', 'deletion', 'alert', 'report', 'message', 'backup',
      'operator', 'suspension', 'resumption', 'link', 'confirmation'))`.execute(trx);
}
