import { z } from 'zod';
import { PROFILE_REFUSALS } from './account.ts';
import { defineEndpoints } from './define-endpoints.ts';
import { EMAIL_PATTERN } from './email.ts';
import { RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { LIMITS } from './limits.ts';
import { messageField, success } from './result-fields.ts';
import { forField, invalidField, refusal } from './refusal.ts';
import { UNCONFIRMED_MAIL_REFUSALS } from './request-refusals.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';

const ENABLED = 'enabled must be true or false.';
const EMAIL_TEXT = `email must be one plain email address of at most ${LIMITS.email} characters.`;

export const EmailForwardingToggleRequest = z
  .object({
    enabled: z
      .boolean(ENABLED)
      .meta({ description: 'Whether to forward mail to the display-name address.' }),
    email: z
      .string(EMAIL_TEXT)
      .max(LIMITS.email, EMAIL_TEXT)
      .regex(EMAIL_PATTERN, EMAIL_TEXT)
      .nullish()
      .meta({
        description:
          'The destination of the mail. Special-use domains such as internal or example are refused. Optional if an address is stored, and when turning off.',
        examples: ['jane@example.com'],
      }),
  })
  .meta({
    id: 'EmailForwardingToggleRequest',
    description: 'The forwarding to set for the display-name address.',
  });
export type EmailForwardingToggleRequest = z.infer<typeof EmailForwardingToggleRequest>;

const EmailForwardingToggleResponse = z
  .object({
    success,
    message: messageField('Mail to jane-doe@example.org is forwarded to jane@example.com.'),
    enabled: z.boolean().meta({ description: 'Whether mail is forwarded.' }),
    email: z
      .string()
      .nullable()
      .meta({
        description: 'The stored destination, kept while forwarding is off.',
        maxLength: LIMITS.email,
        examples: ['jane@example.com'],
      }),
  })
  .meta({
    id: 'EmailForwardingToggleResponse',
    description: 'The forwarding of the display-name address.',
  });

/** Refusals of a change of forwarding. */
export const FORWARDING_REFUSALS = {
  displayNameNotSet: refusal(
    400,
    'The account has no display name.',
    'A display name must be set before forwarding is enabled.',
  ),
  forwardingAddressMissing: forField(
    'email',
    refusal(
      400,
      'No address was sent, and none is stored.',
      'An email is required to enable forwarding.',
    ),
  ),
  forwardingLoop: forField(
    'email',
    refusal(
      400,
      'The address is one of this service.',
      'email must not be an address at {domain}: mail would loop.',
      { domain: 'example.org' },
    ),
  ),
  forwardingAddressNotAllowed: forField(
    'email',
    refusal(
      400,
      'The address is in a domain of special use, or in one that the operator excludes.',
      'email must not be an address at {domain}: no mail is forwarded there.',
      { domain: 'corp.internal' },
    ),
  ),
  forwardingAddressLimitReached: refusal(
    429,
    'The account reached its daily limit of new addresses.',
    'Too many new addresses within a day. Try again in {wait}.',
    { wait: '18 hours' },
  ),
  ...UNCONFIRMED_MAIL_REFUSALS,
  ...PROFILE_REFUSALS,
};

/** Email forwarding at `<display_name>@{mail_domain}`. */
export const emailForwarding = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  emailForwardingToggle: {
    method: 'POST',
    path: '/email-forwarding/email-forwarding-toggle',
    summary: 'Turn email forwarding on or off',
    description:
      'Turns the forwarding of mail to the display-name address on or off. Turning on needs a display name and an email, sent now or stored before. Turning off keeps the address for next time. If the service asks the owner of the address first, mail is forwarded once they confirm. `message` says whether mail is forwarded already, what it waits for, or that the service has no mail provider. A change of the display name turns forwarding off and clears the address, in stored answers, too: a repeat with an Idempotency-Key from before then does nothing, and is answered that forwarding is off.',
    body: EmailForwardingToggleRequest,
    responses: { 200: EmailForwardingToggleResponse },
    metadata: {
      failure: 'Email forwarding could not be updated.',
      idempotent: true,
      refusals: {
        enabledMissing: invalidField('enabled', '`enabled` is missing or not a boolean.', ENABLED),
        forwardingAddressInvalid: invalidField(
          'email',
          'The address is not one plain email address.',
          EMAIL_TEXT,
        ),
        ...FORWARDING_REFUSALS,
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});
