import { listApiKeys, revokeApiKey } from '../../../db/queries/api-keys.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import { createApiKey } from '../../service/keys/create-api-key.ts';
import { RequestError } from '../../service/request-error.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';
import { findAccountOrRefuse } from './find-account.ts';

export const keysRoutes: Handlers<typeof adminContract.keys, AdminContext> = {
  createKey: async ({ body, db }) => {
    const key = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, body.account);
      return createApiKey(trx, { accountId: account_id, label: body.label ?? null });
    });
    return { status: 200, body: key };
  },

  listKeys: async ({ query, db }) => {
    const keys = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, query.account);
      return listApiKeys(trx, account_id);
    });
    return {
      status: 200,
      body: keys.map((key) => ({
        ...key,
        created_at: key.created_at.toISOString(),
        last_used_at: key.last_used_at?.toISOString() ?? null,
        revoked_at: key.revoked_at?.toISOString() ?? null,
      })),
    };
  },

  revokeKey: async ({ body, db, forgetKeys }) => {
    const revokedAt = await revokeApiKey(db, body.key_id);
    if (!revokedAt) throw new RequestError(404, `There is no key ${body.key_id}.`);
    forgetKeys();
    return { status: 200, body: { key_id: body.key_id, revoked_at: revokedAt.toISOString() } };
  },
};
