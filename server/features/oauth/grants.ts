import type { Transaction } from '#db/connections/handles.ts';
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

interface NewGrant {
  accountId: string;
  /** Who signed in: the account itself or a keeper. */
  actorId: string;
  clientId: string;
  scopes: string[];
  redirectUri: string;
  /** Of a website. */
  sessionId: string | null;
}

/** The account must be locked. */
export async function createGrant(
  trx: Transaction,
  app: GrantsApp & Pick<EventApp, 'allowances'>,
  { name, by, ...grant }: NewGrant & { name: string; by: string },
): Promise<string> {
  const { accountId, scopes } = grant;
  const detail = { app: name, scopes, by };
  await storeEvent(trx, app, { accountId, type: 'app_connected', detail });
  return storeGrant(trx, app, grant);
}

/** The account must be locked. */
export async function storeGrant(
  trx: Transaction,
  { jobs }: GrantsApp,
  { accountId, actorId, clientId, scopes, redirectUri, sessionId }: NewGrant,
): Promise<string> {
  const { id, ended } = await insertGrant(trx, {
    account_id: accountId,
    actor_id: actorId,
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

/** The websites of a session end with it. Without `accountId`, those of all sessions that are over. */
export async function endSessionGrants(
  trx: Transaction,
  { jobs }: GrantsApp,
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
