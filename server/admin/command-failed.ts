/** A command was not carried out, and its message says all that there is to say. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}
