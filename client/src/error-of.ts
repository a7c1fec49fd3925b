import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  RateLimitError,
  RedirectError,
  UnsupportedMediaTypeError,
} from './errors.ts';

const BY_STATUS: Record<number, typeof APIError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
};

/** The error of the answer to `what`: its class is decided by the status, its message by the body. */
export function errorOf(what: string, status: number, body: unknown, headers: Headers): APIError {
  const redirect = status === 0 || (status >= 300 && status < 400);
  const ErrorClass = redirect
    ? RedirectError
    : status >= 500
      ? InternalServerError
      : (BY_STATUS[status] ?? APIError);
  const { error } = (body ?? {}) as { error?: unknown };
  const message = redirect
    ? `${what} was answered with a redirect, which is never followed.`
    : typeof error === 'string' && error !== ''
      ? error
      : `${what} was answered with status ${status} and nothing that this client understands.`;
  return new ErrorClass(status, message, headers);
}
