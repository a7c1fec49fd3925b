import type { Database, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteGrants,
  detachEndedSessions,
  type EndedGrant,
  insertGrant,
} from '#db/queries/oauth-grants.ts';
import type { Core } from '#server/core.ts';
import { type EventApp, storeEvent } from '../events/log-event.ts';
import { logoutJob } from './logout-job.ts';
import { findReceiverHost } from './redirect-uris.ts';

type GrantsApp = Pick<Core, 'jobs'>;

/** The account must be locked. */
export async function createGrant(
  trx: Transaction,
  app: GrantsApp & Pick<EventApp, 'allowances'>,
  grant: {
    accountId: string;
    client: { id: string; name: string };
    scopes: string[];
    redirectUri: string;
    /** Of a website. */
    sessionId: string | null;
    by: string;
  },
): Promise<string> {
  const { accountId, client, scopes, redirectUri, sessionId, by } = grant;
  const clientId = client.id;
  const id = await storeGrant(trx, app, { accountId, clientId, scopes, redirectUri, sessionId });
  const detail = { app: client.name, scopes, by };
  await storeEvent(trx, app, { accountId, type: 'app_connected', detail });
  return id;
}

/** The account must be locked. */
export async function storeGrant(
  trx: Transaction,
  { jobs }: GrantsApp,
  grant: {
    accountId: string;
    clientId: string;
    scopes: string[];
    redirectUri: string;
    sessionId: string | null;
  },
): Promise<string> {
  const { accountId, clientId, scopes, redirectUri, sessionId } = grant;
  const { id, ended } = await insertGrant(trx, {
    account_id: accountId,
    // Nobody connects apps for an account that they keep, so nothing reads it.
    actor_id: accountId,
    client_id: clientId,
    scopes,
    receiver_host: findReceiverHost(redirectUri) ?? null,
    session_id: sessionId,
  });
  await queueLogouts(trx, jobs, ended);
  return id;
}

/** Suspension, deletion and "sign out everywhere" end everything that the account allowed. */
export async function endGrants(
  trx: Transaction,
  { jobs }: GrantsApp,
  { accountId, clientId }: { accountId: string; clientId?: string },
): Promise<EndedGrant[]> {
  const ended = await deleteGrants(trx, { accountId, clientId });
  await queueLogouts(trx, jobs, ended);
  return ended;
}

/** The websites of a session end with it. */
export async function endSessionGrants(
  trx: Transaction,
  { jobs }: GrantsApp,
  accountId: string,
): Promise<void> {
  await queueLogouts(trx, jobs, await detachEndedSessions(trx, accountId));
}

/** Sessions also end by their time, or with a passkey, a key or a linked login. */
export async function endGrantsOfEndedSessions(app: GrantsApp & { db: Database }): Promise<void> {
  await inTransaction(app.db, async (trx) =>
    queueLogouts(trx, app.jobs, await detachEndedSessions(trx)),
  );
}

async function queueLogouts(
  trx: Transaction,
  jobs: Core['jobs'],
  ended: readonly EndedGrant[],
): Promise<void> {
  for (const { id, subject, client_id: clientId, was_signed_in, backchannel_logout_uri } of ended)
    if (was_signed_in && backchannel_logout_uri !== null)
      await jobs.add(trx, logoutJob, { clientId, subject, sid: id });
}
