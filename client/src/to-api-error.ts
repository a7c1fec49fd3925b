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

const ERROR_CLASS_BY_STATUS: Record<number, typeof APIError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
};

/** Creates the error for a response. The status selects the class; the body provides the message. */
export function toAPIError(
  requestLabel: string,
  status: number,
  body: unknown,
  headers: Headers,
): APIError {
  const redirect = status === 0 || (status >= 300 && status < 400);
  const ErrorClass = redirect
    ? RedirectError
    : status >= 500
      ? InternalServerError
      : (ERROR_CLASS_BY_STATUS[status] ?? APIError);
  const { error } = (body ?? {}) as { error?: unknown };
  const message = redirect
    ? `${requestLabel} was redirected. The client does not follow redirects.`
    : typeof error === 'string' && error !== ''
      ? error
      : `${requestLabel} returned status ${status} without an error message.`;
  return new ErrorClass(status, message, headers);
}
