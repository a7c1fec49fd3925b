import { APIConnectionError, APIError, NameplateError } from '../../client/src/errors.ts';

const UNREACHABLE =
  'The server cannot be reached. Check your connection and try again. What you typed is kept.';

export function errorMessage(error: unknown): string {
  if (error instanceof APIConnectionError) return UNREACHABLE;
  // Without a code, the response came from a proxy, not from the API.
  if (error instanceof APIError && error.code === undefined)
    return `Something went wrong (error ${error.status}). Try again in a moment.`;
  if (error instanceof NameplateError) return error.message;
  // A bug in the dashboard.
  console.error(error);
  return 'Something went wrong. Reload the page and try again.';
}
