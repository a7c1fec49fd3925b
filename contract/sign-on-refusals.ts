import { refusal } from './refusal.ts';

export const SIGN_ON_REFUSALS = {
  signOnExpired: refusal(
    400,
    'The response of the identity provider does not match a pending login in this browser: the login took more than ten minutes, was already completed, or was started in another browser.',
    'This login is no longer valid. Start again.',
  ),
  signOnLogoutInvalid: refusal(
    400,
    'The logout token of a back-channel logout is missing, not valid, or was used before. `docs/single-sign-on.md` explains the reasons.',
    'The logout token of {provider} is not valid ({reason}).',
    { provider: 'id.example.org', reason: 'jti_used' },
  ),
  signOnRefused: refusal(
    403,
    'The identity provider refused the login, or its response is not valid. `docs/single-sign-on.md` explains the reasons.',
    '{provider} did not confirm your login ({reason}). Start again.',
    { provider: 'id.example.org', reason: 'nonce_missing' },
  ),
  signOnNotAllowed: refusal(
    403,
    'The user has no account and may not create one: `REGISTRATION` is neither `open` nor `approval`, and neither their groups nor the domain of their verified email address are on the list of those who may.',
    'You have no account here yet. Ask the operator of this server for an invitation, then link {provider} in Security. Reason: {reason}.',
    { provider: 'id.example.org', reason: 'groups_missing' },
  ),
  signOnNeedsApplication: refusal(
    403,
    'As `signOnNotAllowed`, on a server that takes applications: `REGISTRATION` is `approval`.',
    'You cannot sign in here with {provider} yet. Ask to join on the front page. Reason: {reason}.',
    { provider: 'id.example.org', reason: 'groups_missing' },
  ),
  signOnNotMember: refusal(
    403,
    'The user has an account, but is not or no longer in the groups or domains that may sign in. If the claims say so, the sessions that single sign-on started end, and operators see the account as having left the group.',
    'Your account at {provider} may not sign in here. If that is wrong, ask the people who run this server, or sign in another way.',
    { provider: 'id.example.org' },
  ),
  signOnNotRecent: refusal(
    403,
    'The identity provider does not prove by `auth_time` that the user has just logged in again. `docs/single-sign-on.md` lists which providers do.',
    '{provider} does not prove that you have just logged in ({reason}). Close this tab, and sign in with a passkey, a login link or an API key instead.',
    { provider: 'id.example.org', reason: 'auth_time_missing' },
  ),
  signOnSuspended: refusal(
    403,
    'The account is suspended.',
    'This account is suspended. Ask the operator of this server.',
  ),
  signOnFromElsewhere: refusal(
    403,
    'A page of another website started the login.',
    'Start the login from the dashboard.',
  ),
  signOnOtherAccount: refusal(
    409,
    'The user who logged in again belongs to a different account than the current session.',
    'This {provider} login belongs to another account. Log in to {provider} as the user of this account.',
    { provider: 'id.example.org' },
  ),
  identityTaken: refusal(
    409,
    'The user is linked to another account, or the account is linked to another user of the identity provider.',
    'This {provider} login is linked to another account, or your account to another login. Unlink it first.',
    { provider: 'id.example.org' },
  ),
  signOnUnavailable: refusal(
    503,
    'The identity provider cannot be reached, or returns an error.',
    '{provider} cannot be reached ({reason}). Try again in a minute.',
    { provider: 'id.example.org', reason: 'ECONNREFUSED' },
  ),
  signOnMisconfigured: refusal(
    503,
    'The settings of the server do not fit the identity provider. `nameplate check` says what to change.',
    'Single sign-on with {provider} is not set up correctly ({reason}). Ask the operator of this server.',
    { provider: 'id.example.org', reason: 'issuer_differs' },
  ),
};
