import { refusal } from './refusal.ts';

/**
 * For endpoints that export all data, grant access to the account, or do something irreversible.
 */
export const RECENT_LOGIN_REFUSALS = {
  reauthenticationRequired: refusal(
    403,
    'The session started more than 60 minutes ago, or the caller is a connected app. API keys are not affected.',
    'Log in again: this needs a login within the last 60 minutes.',
  ),
};

export const RECENT_LOGIN_NOTE = ' A session needs a login within the last 60 minutes.';
