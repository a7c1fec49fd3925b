import { LIMITS } from '#contract/shared/limits.ts';
import type { Transaction } from '#db/connections/handles.ts';
import {
  deleteGrants,
  deleteGrantsBeyond,
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
  app: Pick<EventApp, 'allowances'>,
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
  const id = await insertGrant(trx, {
    account_id: accountId,
    actor_id: accountId,
    client_id: client.id,
    scopes,
    receiver_host: findReceiverHost(redirectUri) ?? null,
    session_id: sessionId,
  });
  await deleteGrantsBeyond(trx, { accountId, clientId: client.id }, LIMITS.grantsPerClient);
  const detail = { app: client.name, scopes, by };
  await storeEvent(trx, app, { accountId, type: 'app_connected', detail });
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

async function queueLogouts(
  trx: Transaction,
  jobs: Core['jobs'],
  ended: readonly EndedGrant[],
): Promise<void> {
  for (const { id, subject, client_id: clientId, was_signed_in, backchannel_logout_uri } of ended)
    if (was_signed_in && backchannel_logout_uri !== null)
      await jobs.add(trx, logoutJob, { clientId, subject, sid: id });
}
