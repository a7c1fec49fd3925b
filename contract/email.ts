import { z } from 'zod';
import { hasInternationalLocalPart, withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { LIMITS } from '#contract/shared/limits.ts';

const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const FIRST_CHARACTER = "[A-Za-z0-9_'+&=~#*^{}$]";
const CHARACTER = "[A-Za-z0-9_'+&=/~#*^{}|$-]";

/**
 * A plain ASCII `local@domain` with a dot in the domain. Rejects comments, quotes, lists and routes, and
 * local parts that a mail server could interpret as an option, a file or a program.
 */
export const EMAIL_PATTERN = new RegExp(
  `^(?=[^@]{1,64}@)${FIRST_CHARACTER}${CHARACTER}*(?:\\.${CHARACTER}+)*@(?:${DOMAIN_LABEL}\\.)+(?=[A-Za-z0-9-]*[A-Za-z])${DOMAIN_LABEL}$`,
);

const PLAIN_EMAIL_MESSAGE = `must be one plain email address of at most ${LIMITS.email} characters, with a domain such as münchen.de as xn--mnchen-3ya.de.`;

/** The request field `email`, which is stored as it is. */
export const plainEmailParam = z
  .string(PLAIN_EMAIL_MESSAGE)
  .min(1, PLAIN_EMAIL_MESSAGE)
  .max(LIMITS.email, PLAIN_EMAIL_MESSAGE)
  .refine((email) => EMAIL_PATTERN.test(email), PLAIN_EMAIL_MESSAGE);

const EMAIL_MESSAGE = `must be an email address of at most ${LIMITS.email} characters.`;

/** The request field `email`. Its domain may be international. */
export const emailParam = z
  .string(EMAIL_MESSAGE)
  .overwrite(withAsciiDomain)
  .refine((email) => !hasInternationalLocalPart(email), {
    error: 'must have only letters from a to z, digits and signs before the @.',
    abort: true,
  })
  .min(1, EMAIL_MESSAGE)
  .max(LIMITS.email, EMAIL_MESSAGE)
  .refine((email) => EMAIL_PATTERN.test(email), EMAIL_MESSAGE);
