import { refusal } from './refusal.ts';

/** Why an old session is not enough for what cannot be undone, tells everything, or lets somebody in. */
export const FRESH_PROOF = {
  reauthenticationRequired: refusal(
    403,
    'The request came with a session that was begun more than five minutes ago; a key is always enough.',
    'Log in again to do this: it takes a login of the last five minutes.',
  ),
};
