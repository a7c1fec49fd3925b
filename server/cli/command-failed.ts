/** Expected failure: the message is printed without a stack. An empty message prints nothing. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}
