import type { login } from '../../../contract/owner/session.ts';
import { insertRefusedLogin } from '../../../db/queries/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Guarding } from '../../http/guard.ts';
import { fewAtATime } from '../../service/few-at-a-time.ts';
import type { Forwarding } from '../../service/forwarding/service.ts';
import { mailLoginLinks } from '../../service/notices/tell-owner.ts';
import {
  beginByKey,
  beginByLink,
  type NewSession,
  type RefusedLogin,
} from '../../service/sessions/begin-session.ts';
import type { VisitorContext } from '../run-open.ts';
import { begunSession } from '../session-fields.ts';

export function loginRoutes({
  authentication,
  cookie,
  forwarding,
}: Pick<Guarding, 'authentication' | 'cookie'> & { forwarding: Forwarding }): Handlers<
  typeof login,
  VisitorContext
> {
  // Anybody can make up links that look right.
  const inTurn = fewAtATime('logins');
  return {
    createSession: async ({ db, visitor, body: { link = '', apiKey }, log, refuse }) => {
      const begun = await inTurn<NewSession | RefusedLogin | undefined>(() =>
        apiKey === undefined
          ? beginByLink(db, link, visitor)
          : beginByKey(db, authentication, apiKey, visitor),
      );
      if (!begun) throw refuse('loginFailed');
      if ('reason' in begun) {
        const { keyId, reason } = begun;
        // Nobody waits for it: the time of the answer does not tell whether there is such a key.
        if (keyId !== undefined)
          inTransaction(db, (trx) => insertRefusedLogin(trx, { keyId, reason })).catch(
            (error: unknown) => {
              log.error({ err: error }, 'a refused login could not be told');
            },
          );
        throw refuse('loginFailed');
      }
      return begunSession(begun, cookie);
    },

    mailLoginLink: async ({ db, body, log, refuse }) => {
      if (!forwarding.notify) throw refuse('mailUnavailable');
      // Nobody waits for it, so that the time of the answer tells nothing, either.
      inTurn(() => mailLoginLinks(db, forwarding, body.email)).catch((error: unknown) => {
        log.error({ err: error }, 'a login link could not be mailed');
      });
      return { status: 200, body: { success: true } };
    },
  };
}
