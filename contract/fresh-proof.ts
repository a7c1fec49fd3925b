import { refusal } from './refusal.ts';

/** Why an old session is not enough for what cannot be undone, tells everything, or lets somebody in. */
export const FRESH_PROOF = {
  reauthenticationRequired: refusal(
    403,
    'The session began more than five minutes ago. A key always works.',
    'Log in again: this needs a login within the last five minutes.',
  ),
};
