/** An expected failure: only its message is printed. An empty message prints nothing. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}
