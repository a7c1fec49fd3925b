import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { findClient, setLogoutResult } from '#db/queries/oauth-clients.ts';
import type { Core } from '#server/core.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { createOutboundClient } from '#server/platform/outbound/client.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import type { OAuth } from './oauth.ts';

const TOKEN_SECONDS = 120;
const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 10_000;

type LogoutServices = Pick<Core, 'db'> & { oauth: OAuth };

/**
 * Tells a website that a member signed out (OpenID Connect Back-Channel Logout 1.0): three attempts
 * within a minute. The address may be private, because an operator entered it.
 */
export const logoutJob = defineJob({
  kind: 'oauth-logout',
  schema: z.object({ clientId: z.string(), subject: z.string(), sid: z.string() }),
  whenOff: 'drop',
  workers: 4,
  pollSeconds: 1,
  expireSeconds: 20,
  retrySeconds: 10,
  maxRetrySeconds: 20,
  giveUpSeconds: 60,
  run: async ({ db, oauth }: LogoutServices, { clientId, subject, sid }, { signal }) => {
    const client = await findClient(db, clientId);
    if (!client?.backchannel_logout_uri || oauth.issuer === undefined) return;
    const http = createOutboundClient({ maxResponseBytes: MAX_RESPONSE_BYTES });
    try {
      const { status } = await http.call({
        method: 'POST',
        url: client.backchannel_logout_uri,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: new URLSearchParams({
          logout_token: await createLogoutToken(oauth, { clientId, subject, sid }),
        }).toString(),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (status !== 200 && status !== 204) throw new CallError(`HTTP_${status}`, true);
      if (client.logout_error !== null) await setLogoutResult(db, clientId, null);
    } catch (error) {
      const code = error instanceof CallError ? error.code : 'UNKNOWN';
      if (!signal.aborted) await setLogoutResult(db, clientId, code);
      throw error;
    } finally {
      await http.close();
    }
  },
});

async function createLogoutToken(
  { issuer, keys }: OAuth,
  { clientId, subject, sid }: { clientId: string; subject: string; sid: string },
): Promise<string> {
  const { importJWK, SignJWT } = await import('jose');
  const [key] = await keys.listPrivate();
  return new SignJWT({
    sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
    .setProtectedHeader({ alg: key!.alg, kid: key!.kid, typ: 'logout+jwt' })
    .setIssuer(issuer!)
    .setSubject(subject)
    .setAudience(clientId)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .setJti(randomUUID())
    .sign(await importJWK(key!));
}
