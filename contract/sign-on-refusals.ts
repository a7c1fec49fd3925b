import { refusal } from './refusal.ts';

/** Why a single sign-on comes to nothing. */
export const SIGN_ON_REFUSALS = {
  signOnExpired: refusal(
    400,
    'The answer of the single sign-on provider belongs to no open login of this browser: it took more than ten minutes, was used, or began elsewhere.',
    'This login is no longer valid. Start again.',
  ),
  signOnRefused: refusal(
    403,
    'The single sign-on provider refused the login, or its answer is not valid. The log has the reason.',
    '{provider} did not confirm your login. Start again.',
    { provider: 'id.example.org' },
  ),
  signOnNotAllowed: refusal(
    403,
    'The user has no account, and gets none: `REGISTRATION` is not `open`, and neither a group nor the domain of a verified email address is listed.',
    'You have no account here yet. Ask the operator of this server for an invitation, then link {provider} in Security.',
    { provider: 'id.example.org' },
  ),
  signOnSuspended: refusal(
    403,
    'The account is suspended.',
    'This account is suspended. Ask the operator of this server.',
  ),
  signOnFromElsewhere: refusal(
    403,
    'A page of another site began a single sign-on.',
    'Start the login from the dashboard.',
  ),
  signOnOtherAccount: refusal(
    409,
    'The user who proved who they are belongs to another account than the one that is signed in.',
    'This {provider} login belongs to another account. Sign in there with the login of this account.',
    { provider: 'id.example.org' },
  ),
  identityTaken: refusal(
    409,
    'The user is linked to another account, or the account to another user of the provider.',
    'This {provider} login is linked to another account, or your account to another login. Unlink it first.',
    { provider: 'id.example.org' },
  ),
  signOnUnavailable: refusal(
    503,
    'The single sign-on provider cannot be reached, or answers with an error.',
    '{provider} cannot be reached. Try again in a minute.',
    { provider: 'id.example.org' },
  ),
};
