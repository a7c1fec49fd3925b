/** The embedded database cannot be used. Its message is written for the operator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name: string = 'EmbeddedDatabaseError';
}

/** The data folder has no database yet. */
export class NoDatabaseError extends EmbeddedDatabaseError {
  override readonly name = 'NoDatabaseError';
}
