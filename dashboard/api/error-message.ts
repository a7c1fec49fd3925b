import { APIConnectionError, APIError, NameplateError } from '#client/errors.ts';
import { t } from '../translate.ts';
import { reportUnreachable } from './connection.ts';

/** The banner says what to do. */
const UNREACHABLE = t('The server cannot be reached.');

/** How Chromium, Firefox and Safari say that the code of a screen or dialog could not be loaded. */
const FAILED_IMPORT = /dynamically imported module|importing a module script/i;

export function errorMessage(error: unknown): string {
  if (error instanceof APIConnectionError) return UNREACHABLE;
  if (error instanceof TypeError && FAILED_IMPORT.test(error.message))
    return reportUnreachable().message;
  if (error instanceof APIError && error.status === 500 && error.requestId)
    return `${error.message} ${t('Request {id}.', { id: error.requestId })}`;
  // Without a code, the response came from a proxy, not from the API.
  if (error instanceof APIError && error.code === undefined)
    return t('Something went wrong on the server (error {status}). Try again in a minute.', {
      status: error.status,
    });
  // The server's sentences are about API keys.
  if (error instanceof APIError && ['apiKeyMissing', 'unauthorized'].includes(error.code ?? ''))
    return t('You are signed out. Reload the page to sign in again.');
  // For example, the account is no longer an operator.
  if (error instanceof APIError && error.code === 'pathNotFound')
    return t('You no longer have access to this. Reload the page.');
  if (error instanceof NameplateError) return error.message;
  // A bug in the dashboard.
  console.error(error);
  return t('This did not work. Reload the page and try again.');
}
