import type { Kysely } from 'kysely';
import { insertLoginLink } from '../../../db/queries/sessions/login-links.ts';
import type { Database } from '../../../db/schema.ts';
import { createToken, hashToken } from '../token.ts';

/**
 * A link that logs in to an account once, within ten minutes. Its token stands behind the `#`, which
 * browsers send to nobody.
 */
export async function createLoginLink(
  db: Kysely<Database>,
  accountId: string,
  address: string,
): Promise<string> {
  const token = createToken();
  await insertLoginLink(db, { accountId, tokenHash: hashToken(token) });
  return `${address}/dashboard/login#${token}`;
}
