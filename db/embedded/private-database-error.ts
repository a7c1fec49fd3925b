/** Why the private database cannot be used; the message is a sentence for people. */
export class PrivateDatabaseError extends Error {
  override readonly name: string = 'PrivateDatabaseError';
}

/** Nobody has made a database yet where one was looked for. */
export class NoDatabaseError extends PrivateDatabaseError {
  override readonly name = 'NoDatabaseError';
}
