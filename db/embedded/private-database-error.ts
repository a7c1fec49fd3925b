/** The embedded database cannot be used. The message is for people. */
export class PrivateDatabaseError extends Error {
  override readonly name: string = 'PrivateDatabaseError';
}

/** The data folder has no database yet. */
export class NoDatabaseError extends PrivateDatabaseError {
  override readonly name = 'NoDatabaseError';
}
