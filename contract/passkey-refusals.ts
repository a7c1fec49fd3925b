import { refusal } from './refusal.ts';

/** Why a passkey is not taken. */
export const PASSKEY = {
  passkeyInvalid: refusal(
    400,
    'It is no new passkey, or it was made for another account, another page or a challenge that is used up or too old.',
    'This passkey cannot be taken: begin again, within five minutes.',
  ),
  passkeyLimitReached: refusal(
    400,
    'The account has 20 passkeys.',
    'This account has 20 passkeys, as many as it may: remove one first.',
  ),
};
