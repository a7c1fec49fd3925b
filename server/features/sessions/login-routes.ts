import type { login } from '#contract/owner/sessions.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertFailedLogin } from '#db/queries/events.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { tokenOf } from '#server/platform/secrets/token.ts';
import type { Authentication } from './authentication.ts';
import { requestLink } from './link-request.ts';
import { createLoginResponse } from './session-response.ts';
import { logInWithKey, logInWithLink } from './start-session.ts';

export function loginRoutes({
  sessions,
  sessionCookie,
  jobs,
  rateLimits,
  outbox,
}: Core & { sessions: Authentication }): Handlers<typeof login> {
  return {
    createSession: async ({
      db,
      loginClient,
      body: { login_url: loginUrl = '', api_key: apiKey },
      log,
      refuse,
    }) => {
      const result =
        apiKey === undefined
          ? await logInWithLink(db, tokenOf(loginUrl), loginClient)
          : await logInWithKey(db, sessions, apiKey, loginClient);
      if (!result) throw refuse('loginFailed');
      if (result.ok) return createLoginResponse(result, sessionCookie);
      const { keyId, reason, scope } = result;
      // Not awaited: the response time must not reveal whether the key exists.
      if (keyId !== undefined)
        inTransaction(db, (trx) => insertFailedLogin(trx, { keyId, reason })).catch(
          (error: unknown) => {
            log.error({ err: error }, 'failed to record a refused login');
          },
        );
      // Only the owner of a valid key learns its scope.
      if (scope) throw refuse('keyNotForLogin', { scope });
      throw refuse(reason === 'accountSuspended' ? reason : 'loginFailed');
    },

    sendLoginLink: async ({ db, request, body: { email }, refuse }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      const rateLimitError = await rateLimits.linkRequests.count(request);
      if (rateLimitError) throw rateLimitError;
      await requestLink({ db, jobs }, { email });
    },
  };
}
