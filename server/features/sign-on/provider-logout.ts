import { createHash } from 'node:crypto';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { consumeChallenge } from '#db/queries/challenges.ts';
import { listLoggedOutIdentities } from '#db/queries/identities.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import { type EventApp, storeEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import type { ProviderLogout } from './identity-provider.ts';
import { SignOnError } from './sign-on-error.ts';

/**
 * Ends the sessions that the provider ended. A session without a stored `sid` ends with every
 * session of its user. It is no fault if there is none left.
 */
export async function endProviderSessions(
  db: Database,
  app: Pick<EventApp, 'allowances'> & { react: React },
  logout: ProviderLogout,
): Promise<void> {
  const { issuer, tokenId, sid } = logout;
  const signature = createHash('sha256').update(`logout ${issuer} ${tokenId}`).digest();
  await inTransaction(db, async (trx) => {
    if (!(await consumeChallenge(trx, signature)))
      throw new SignOnError('signOnLogoutInvalid', 'jti_used');
    const identities = await listLoggedOutIdentities(trx, logout);
    // A login that is not committed yet keeps its account locked.
    await lockAccounts(
      trx,
      identities.map(({ account_id }) => account_id),
    );
    for (const { id: identityId, account_id: accountId } of identities) {
      const sessions = await deleteSessions(trx, accountId, { identityId, sid });
      await app.react(trx, 'sessionsEnded', { accountId, everywhere: false });
      const detail = { sessions, via: 'oidc', by: identityId };
      if (sessions > 0) await storeEvent(trx, app, { accountId, type: 'sessions_ended', detail });
    }
  });
}
