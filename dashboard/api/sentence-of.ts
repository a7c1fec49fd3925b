import { APIConnectionError, APIError, NameplateError } from '../../client/src/errors.ts';

const UNREACHABLE =
  'The server cannot be reached. Nothing you typed is lost: check your connection and try again.';

/** Sentence for anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof APIConnectionError) return UNREACHABLE;
  // A proxy answered: its page says nothing to people.
  if (error instanceof APIError && error.code === undefined)
    return `Something went wrong (error ${error.status}). Try again in a moment.`;
  if (error instanceof NameplateError) return error.message;
  // A defect of this page: whoever looks for it finds it in the console.
  console.error(error);
  return 'Something went wrong on this page; reload it and try again.';
}
