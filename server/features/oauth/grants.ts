import type { Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  deleteGrants,
  detachEndedSessions,
  type EndedGrant,
  findGrant,
  insertGrant,
} from '#db/queries/oauth-grants.ts';
import type { Core } from '#server/core.ts';
import { storeEvent } from '../events/log-event.ts';
import { logoutJob } from './logout-job.ts';
import { findReceiverHost } from './redirect-uris.ts';

type GrantsApp = Pick<Core, 'allowances' | 'jobs'>;

interface NewGrant {
  id?: string;
  accountId: string;
  /** Who signed in: the account itself or a keeper. */
  actorId: string;
  clientId: string;
  scopes: string[];
  redirectUri: string;
  /** Of a website. */
  sessionId: string | null;
}

/**
 * The account must be locked. A second click on "Allow" gets the grant of the first one, or with
 * another choice, a new one in its place.
 */
export async function createGrant(
  trx: Transaction,
  app: GrantsApp,
  { name, by, ...grant }: NewGrant & { id: string; name: string; by: string },
): Promise<string> {
  const { id, accountId, scopes } = grant;
  const earlier = await findGrant(trx, id);
  if (earlier?.account_id === accountId && String(earlier.scopes) === String(scopes))
    return earlier.id;
  await logEnded(trx, app, await deleteGrants(trx, { id }));
  const detail = { app: name, scopes, by };
  await storeEvent(trx, app, { accountId, type: 'app_connected', detail });
  return storeGrant(trx, app, grant);
}

/** The account must be locked. */
export async function storeGrant(
  trx: Transaction,
  app: GrantsApp,
  { id: chosenId, accountId, actorId, clientId, scopes, redirectUri, sessionId }: NewGrant,
): Promise<string> {
  const { id, ended } = await insertGrant(trx, {
    ...(chosenId !== undefined && { id: chosenId }),
    account_id: accountId,
    actor_id: actorId,
    client_id: clientId,
    scopes,
    receiver_host: findReceiverHost(redirectUri) ?? null,
    session_id: sessionId,
  });
  await queueLogouts(trx, app.jobs, ended);
  // Of the client itself, only an earlier device makes room.
  const others = ended.filter((other) => other.client_id !== clientId);
  await logEnded(trx, app, others);
  return id;
}

/** Suspension, deletion and "sign out everywhere" end everything that the person allowed. */
export async function endGrants(
  trx: Transaction,
  app: GrantsApp,
  { accountId, clientId, by }: { accountId: string; clientId?: string; by?: string },
): Promise<EndedGrant[]> {
  const ended = await deleteGrants(trx, { accountId, clientId });
  await queueLogouts(trx, app.jobs, ended);
  await logEnded(trx, app, ended, by);
  return ended;
}

/** The app ended it, or used a token twice. */
export async function endGrant(
  { db, ...app }: Pick<Core, 'allowances' | 'db'>,
  id: string,
): Promise<void> {
  await inTransaction(db, async (trx) => logEnded(trx, app, await deleteGrants(trx, { id })));
}

/** Each app once. */
async function logEnded(
  trx: Transaction,
  app: Pick<GrantsApp, 'allowances'>,
  ended: readonly EndedGrant[],
  by?: string,
): Promise<void> {
  const apps = new Map(ended.map((grant) => [`${grant.account_id} ${grant.client_id}`, grant]));
  for (const { account_id: accountId, client_name } of apps.values())
    await storeEvent(trx, app, {
      accountId,
      type: 'app_disconnected',
      detail: { app: client_name, by },
    });
}

/** The websites of a session end with it. Without `accountId`, those of all sessions that are over. */
export async function endSessionGrants(
  trx: Transaction,
  { jobs }: Pick<GrantsApp, 'jobs'>,
  accountId?: string,
): Promise<void> {
  await queueLogouts(trx, jobs, await detachEndedSessions(trx, accountId));
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
