import { refusal } from './refusal.ts';

/** For actions that cannot be undone, export all data, or give access to the account. */
export const RECENT_LOGIN_REFUSALS = {
  reauthenticationRequired: refusal(
    403,
    'The session began more than 60 minutes ago. A key always works.',
    'Log in again: this needs a login within the last 60 minutes.',
  ),
};
