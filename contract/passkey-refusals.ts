import { LIMITS } from './limits.ts';
import { forField, refusal } from './refusal.ts';

/** Why a passkey is not taken. */
export const PASSKEY_REFUSALS = {
  passkeyInvalid: forField(
    'answer',
    refusal(
      400,
      'The passkey is not new, or was made for another account, another site or an expired challenge.',
      'The passkey could not be added. Start again, and finish within five minutes.',
    ),
  ),
  passkeyLimitReached: refusal(
    400,
    `The account has ${LIMITS.passkeys} passkeys.`,
    `This account has reached its limit of ${LIMITS.passkeys} passkeys. Remove one first.`,
  ),
};
