/** The error code of the API and the field that it is about. */
interface ApiError {
  code?: string | undefined;
  field?: string | undefined;
}

/** An expected failure: only its message is printed. An empty message prints nothing. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
  readonly details: ApiError;

  constructor(message?: string, { code, field, ...options }: ErrorOptions & ApiError = {}) {
    super(message, options);
    this.details = { code, field };
  }
}
