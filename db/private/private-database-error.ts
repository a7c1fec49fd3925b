/** Why the private database cannot be used; the message is a sentence for people. */
export class PrivateDatabaseError extends Error {
  override readonly name = 'PrivateDatabaseError';
}
