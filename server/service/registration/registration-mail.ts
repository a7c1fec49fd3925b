import type { Registration } from '../../../db/queries/sessions/registrations.ts';
import { composeMail } from '../mail/compose-mail.ts';
import type { Mail } from '../mail/mailer.ts';

/** The mail to somebody who asked for an account. */
export function writeRegistration(
  { email: to, display_name: name }: Registration,
  link: string,
): Mail {
  const { host } = new URL(link);
  return composeMail({
    to,
    host,
    subject: `Claim ${name} at ${host}`,
    before: [
      `Somebody asked for the name ${name} at ${host} with this address. If that was you, create your account within 24 hours:`,
    ],
    action: { label: 'Create account', link },
    after: ['Not you? Ignore this mail. No account will be made.'],
  });
}
