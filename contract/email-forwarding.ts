import { z } from 'zod';
import { PROFILE_REFUSALS } from './account.ts';
import { defineEndpoints } from './define-endpoints.ts';
import { plainEmailParam } from './email.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';
import { field, nullableTextField, objectSchema, resultSchema, booleanParam } from './fields.ts';
import { RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { forField, refusal } from './refusal.ts';
import { UNCONFIRMED_ADDRESS_REFUSALS } from './request-refusals.ts';
import { messageField, success } from './result-fields.ts';
import { LIMITS } from './shared/limits.ts';

export const EmailForwardingToggleRequest = objectSchema(
  'EmailForwardingToggleRequest',
  'The forwarding setting.',
  {
    enabled: field(
      'enabledMissing',
      booleanParam().meta({
        description: 'Whether to forward mail sent to the display-name address.',
      }),
    ),
    email: field(
      'forwardingAddressInvalid',
      plainEmailParam.nullish(),
      'One plain email address; special-use domains such as `internal` or `example` are refused. Optional when turning forwarding off, or if an address is already stored.',
      'jane@example.com',
    ),
  },
);
export type EmailForwardingToggleRequest = z.infer<typeof EmailForwardingToggleRequest>;

export const FORWARDING_DOMAIN_REFUSALS = {
  forwardingLoop: forField(
    'email',
    refusal(400, 'The address belongs to this service.', '{problem}', {
      problem: 'Addresses at club.example belong to this server. Use another one.',
    }),
  ),
  forwardingAddressNotAllowed: forField(
    'email',
    refusal(
      400,
      'The domain of the address is special-use, such as `internal` or `example`, or is excluded by the operator.',
      '{problem}',
      { problem: 'Addresses that end in .internal do not exist on the internet.' },
    ),
  ),
};

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
      'No address was sent and none is stored.',
      'An email is required to enable forwarding.',
    ),
  ),
  confirmedAddressProtected: refusal(
    403,
    'The account is an operator, and the request replaces its confirmed address, which gets login links. Other changes work with a key of the scope `all`. To replace the address, log in to the dashboard with a link or passkey, or use a key with the scope `operator`.',
    'Replacing the confirmed address of an operator needs operator rights: log in to the dashboard with a link or passkey, or use a key with the scope operator.',
  ),
  forwardingAddressLimitReached: refusal(
    429,
    'The account reached its daily limit of new destination addresses, or of confirmations to this one.',
    'Too many new addresses or confirmations within a day. Try again in {wait}.',
    { wait: '18 hours' },
  ),
  ...FORWARDING_DOMAIN_REFUSALS,
  ...UNCONFIRMED_ADDRESS_REFUSALS,
  ...PROFILE_REFUSALS,
};

/** Email forwarding at `<display_name>@{mail_domain}`. */
export const emailForwarding = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  emailForwardingToggle: {
    method: 'POST',
    path: '/email-forwarding/email-forwarding-toggle',
    summary: 'Turn email forwarding on or off',
    description:
      'Turns forwarding of mail to an address of your own on, which needs a display name, or off; only a key with operator rights replaces the confirmed address of an operator (`confirmedAddressProtected`). `message` says whether mail is forwarded, waits until the owner of the address confirms, or cannot be forwarded.',
    body: EmailForwardingToggleRequest,
    response: resultSchema('The forwarding setting after the change.', {
      success,
      message: messageField('Mail to jane-doe@club.example is forwarded to jane@example.com.'),
      enabled: z.boolean().meta({ description: 'Whether forwarding is turned on.' }),
      email: nullableTextField(
        'The stored destination, or the one that waits for confirmation. It is kept while forwarding is off.',
        LIMITS.email,
        'jane@example.com',
      ),
    }),
    actor: 'owner',
    failure: 'Email forwarding could not be updated.',
    idempotent: true,
    refusals: {
      ...FORWARDING_REFUSALS,
      ...RECENT_LOGIN_REFUSALS,
    },
  },
});
