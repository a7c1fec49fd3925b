import type { login } from '#contract/owner/session.ts';
import { insertRefusedLogin } from '#db/queries/events.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { Handlers } from '#server/http/contract/adapter.ts';
import type { Guarding } from '#server/http/access/guard.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { networkQueue } from '#server/limits/fair-queue.ts';
import { beginByKey, beginByLink } from './begin-session.ts';
import { mailLoginLinks } from './login-link.ts';
import type { VisitorContext } from '#server/http/access/run-unauthenticated.ts';
import { begunSession } from './session-fields.ts';

/** Time for which mails wait for their turn, in milliseconds: longer than a person who waits for an answer. */
const MAIL_PATIENCE_MS = 60_000;

export function loginRoutes({
  authentication,
  cookie,
  rates,
  outbox,
}: Pick<Guarding, 'authentication' | 'cookie' | 'rates'> & { outbox: Outbox }): Handlers<
  typeof login,
  VisitorContext
> {
  // Asking for mail holds up no login, and the other way round.
  const mails = networkQueue('login-mails', MAIL_PATIENCE_MS);
  return {
    createSession: async ({ db, visitor, body: { link = '', apiKey }, log, refuse }) => {
      const begun =
        apiKey === undefined
          ? await beginByLink(db, link, visitor)
          : await beginByKey(db, authentication, apiKey, visitor);
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

    mailLoginLink: async ({ db, visitor, request, body, log, refuse }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      const tooMany = await rates.linkRequests.count(request);
      if (tooMany) throw tooMany;
      // Nobody waits for it, so that the time of the answer tells nothing, either.
      mails
        .begin(visitor.network, () => mailLoginLinks(db, outbox, body.email))
        .catch((error: unknown) => {
          log.error({ err: error }, 'a login link could not be mailed');
        });
      return { status: 200, body: { success: true } };
    },
  };
}
