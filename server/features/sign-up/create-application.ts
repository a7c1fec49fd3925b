import {
  APPLICATION_REFUSALS,
  REGISTRATION_REFUSALS,
  SIGN_UP_REFUSALS,
} from '#contract/owner/registration.ts';
import type { Language } from '#contract/shared/languages.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccount, setSuspended } from '#db/queries/accounts.ts';
import { type ApplicationStatus, insertApplication } from '#db/queries/applications.ts';
import { consumeSignUp } from '#db/queries/sign-ups.ts';
import type { Core } from '#server/core.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';
import { logServerEvent } from '../events/log-event.ts';
import { claimName } from '../names/change-display-name.ts';
import { withNameUnavailableError } from '../names/check-name.ts';
import { parseDisplayName } from '../names/display-name.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { applicationMail, applicationNoticeMail } from './application-mails.ts';
import { mailOf } from './decide.ts';

const refuse = createRefuser({
  ...SIGN_UP_REFUSALS,
  ...REGISTRATION_REFUSALS,
  ...APPLICATION_REFUSALS,
});

/**
 * Creates an account that waits: suspended, with a name, and without an address. A refused request does not
 * use up the link.
 */
export async function createApplication(
  app: Core & { names: NameRules },
  { token, input, language }: { token: string; input: string; language: Language },
): Promise<ApplicationStatus> {
  if (!isToken(token)) throw refuse('registrationInvalid');
  return withNameUnavailableError(input, () =>
    inTransaction(app.db, async (trx) => {
      const signUp = await consumeSignUp(trx, hashToken(token));
      const text = signUp?.application_text ?? null;
      if (!signUp || text === null) throw refuse('registrationInvalid');
      const name = parseDisplayName(input, app.names.isReserved);
      // Locks operators before the name, like changes of their own names.
      await mailOperators(trx, app.outbox, applicationNoticeMail, {});
      const id = await insertAccount(trx);
      await setSuspended(trx, id, null);
      await claimName(trx, app.config, { accountId: id, name });
      const { email, application_name } = signUp;
      const applicant = { id, display_name: name, name: application_name, email, language };
      const application = await insertApplication(trx, { ...applicant, text });
      if (!application) throw refuse('applicationLimitReached');
      await app.outbox.enqueue(trx, applicationMail, mailOf(applicant, 'waiting'));
      const detail = { application_id: id, display_name: name };
      await logServerEvent(trx, app, 'application_received', detail);
      return application;
    }),
  );
}
