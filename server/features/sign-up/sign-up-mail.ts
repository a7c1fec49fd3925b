import { z } from 'zod';
import { SIGN_UP_REFUSALS } from '#contract/owner/registration.ts';
import type { Language } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { insertSignUp, setSignUpToken, type SignUp } from '#db/queries/sign-ups.ts';
import { defineMail, MailData } from '#server/platform/mail/define-mail.ts';
import { enteredFooter, plateFor, describeSharedAddress } from '#server/platform/mail/mail-text.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';
import { explainRefusedDomain } from '../forwarding/allowed-domains.ts';
import { mailLoginLinks } from '../sessions/login-mail.ts';

const refuse = createRefuser(SIGN_UP_REFUSALS);

export const signUpMail = defineMail({
  kind: 'sign-up',
  schema: MailData.extend({ signUpId: z.string() }),
  priority: -1,
  load: async (trx, { signUpId }, { publicUrl, token, tokenHash }) => {
    const signUp = await setSignUpToken(trx, signUpId, tokenHash);
    if (!signUp) return undefined;
    const { email: address, display_name: name, application_text: text } = signUp;
    const screen = text === null ? 'registration' : 'application';
    const sharedWith = await listAccountsByAddress(trx, address);
    // The fragment is not sent to the server, so link scanners cannot use up the token.
    return {
      address,
      name,
      sharedWith,
      isApplication: text !== null,
      link: `${publicUrl}/dashboard/${screen}#${token}/${name}`,
    };
  },
  write: ({ name, sharedWith, isApplication, link }, { server, t }) => ({
    ...(isApplication ? applicationTexts(name, server, t) : signUpTexts(name, server, t)),
    isWelcome: true,
    plate: plateFor(name),
    hasOneTimeLink: true,
    action: { label: isApplication ? t('Confirm address') : t('Create account'), link },
    outro: [
      ...describeSharedAddress(sharedWith, t),
      t('Not you? Ignore this mail. No account will be created.'),
    ],
    footer: enteredFooter(server, t),
  }),
});

function signUpTexts(name: string, server: string, t: Translator) {
  return {
    subject: t('Claim {name} at {server}', { name, server }),
    headline: t('Claim {name} at {server}', { name: `@${name}`, server }),
    intro: [
      t(
        'Someone wants to claim the name {name} at {server} with this email address. If that was you, create your account within 24 hours:',
        { name: `@${name}`, server },
      ),
    ],
  };
}

function applicationTexts(name: string, server: string, t: Translator) {
  return {
    subject: t('Ask to join {server} as {name}', { name, server }),
    headline: t('Ask to join {server}', { server }),
    intro: [
      t(
        'Someone wants to join {server} as {name} with this email address. If that was you, send the application within 24 hours:',
        { name: `@${name}`, server },
      ),
    ],
  };
}

export function requireAllowedEmailDomain(email: string, config: Config): void {
  const problem = explainRefusedDomain(email, config, config.REGISTRATION_REFUSED_DOMAINS);
  if (problem) throw refuse('emailDomainRefused', { problem });
}

/**
 * Emails a sign-up link. If the accounts of the address are suspended, or as many as one address can
 * have, emails what a login would.
 */
export async function mailSignUpLink(
  db: Database,
  outbox: Outbox,
  { language, ...signUp }: SignUp & { language: Language },
): Promise<void> {
  const accounts = await listAccountsByAddress(db, signUp.email);
  const isFull = accounts.length >= LIMITS.accountsPerAddress;
  if (isFull || (accounts.length > 0 && accounts.every(({ is_suspended }) => is_suspended)))
    return mailLoginLinks(db, outbox, signUp.email);
  await inTransaction(db, async (trx) => {
    const id = await insertSignUp(trx, signUp);
    if (id !== undefined) await outbox.enqueue(trx, signUpMail, { signUpId: id, language });
  });
}
