import { forField, refusal } from './refusal.ts';
import { LIMITS } from './shared/limits.ts';

export const PASSKEY_REFUSALS = {
  passkeyInvalid: forField(
    'answer',
    refusal(
      400,
      'The passkey is already registered, or was created for another account, another website or an expired challenge.',
      'The passkey could not be added. Start again, and finish within five minutes.',
    ),
  ),
  passkeyLimitReached: refusal(
    400,
    `The account already has ${LIMITS.passkeys} passkeys.`,
    `This account has reached its limit of ${LIMITS.passkeys} passkeys. Remove one first.`,
  ),
};
