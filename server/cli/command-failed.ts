/** A command failed, and its message says all that there is to say; none if its answer has said it. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}
