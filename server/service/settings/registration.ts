import { z } from 'zod';

const Registration = z.enum(['invite', 'closed'], 'must be invite or closed');

/** Who can create an account. */
export type Registration = z.infer<typeof Registration> | 'open';

/** Settings of who can create an account. */
export const registrationSettings = {
  REGISTRATION: Registration.default('invite').describe(
    'Who can create an account: invite (anybody with an invitation) or closed (only the command line).',
  ),
};
