import { z } from 'zod';
import { domainNames } from './comma-separated-list.ts';
import { wholeNumber } from './whole-number.ts';

const SIGN_UP_MODES = ['open', 'approval', 'invite', 'closed'] as const;

export type SignUpMode = (typeof SIGN_UP_MODES)[number];

export const signUpSettings = {
  REGISTRATION: z
    .enum(SIGN_UP_MODES, 'must be open, approval, invite or closed')
    .default('invite')
    .describe(
      'Who can create an account: open (anyone with an email address; begins when mail is connected, and needs no HOME_URL), approval (anyone whom an operator approves; as open, and invitations work, too), invite (anyone with an invitation) or closed (only the command line).',
    ),
  REGISTRATION_REFUSED_DOMAINS: domainNames.describe(
    'Email domains that cannot sign up, including subdomains, separated by commas, such as those of disposable addresses.',
  ),
  REGISTRATIONS_PER_DAY: wholeNumber(0, 1_000_000)
    .default(20)
    .describe('Sign-ups per network and day. 0 means no limit.'),
};

/** Open sign-up and applications need the landing page. */
export const SignUpRequirements = z
  .object({
    REGISTRATION: z.string().optional(),
    HOME_URL: z.string().optional(),
  })
  .refine(
    ({ REGISTRATION: mode = '', HOME_URL }) =>
      !['open', 'approval'].includes(mode) || HOME_URL === undefined,
    {
      path: ['HOME_URL'],
      message:
        'cannot be set when REGISTRATION is open or approval: names are claimed on the landing page at /',
    },
  )
  .transform(() => ({}));
