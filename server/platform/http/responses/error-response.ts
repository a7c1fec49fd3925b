import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import type { Refusals } from '#contract/refusal.ts';
import { ACCOUNT_REQUEST_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import {
  isAccountMissing,
  isConnectTimeout,
  isInvalidValue,
  isServerUnavailable,
  isTimeout,
} from '#db/sql-state.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import {
  type RefusalDetails,
  RETRY_SOON,
  RefusalError,
  failureDetails,
  createRefuser,
  messageFor,
} from '#server/platform/refusal.ts';
import { findRoute } from '../contract/register-contract.ts';
import { JSON_HEADERS, refusalHeaders } from './headers.ts';
import { NON_ENDPOINT_REFUSALS } from './refusals.ts';

const refuse = createRefuser({
  ...ACCOUNT_REQUEST_REFUSALS,
  ...WRITE_REFUSALS,
  ...NON_ENDPOINT_REFUSALS,
});

/** Our own messages replace Fastify's, because they repeat nothing from the request. */
const FRAMEWORK_ERRORS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'contentTypeUnsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bodyLengthMismatch',
  FST_ERR_BAD_URL: 'urlInvalid',
  FST_ERR_MAX_PARAM_LENGTH: 'pathNotFound',
  FST_ERR_NOT_FOUND: 'pathNotFound',
  FST_ERR_ASYNC_CONSTRAINT: 'requestInvalid',
} as const;

const DEFAULT_REFUSALS = {
  ...AUTHENTICATED_DEFAULTS.requestRefusals,
  internalError: NON_ENDPOINT_REFUSALS.internalError,
};

/** The original error becomes the `cause`, for the log only. */
export function toRefusal(error: unknown, request: FastifyRequest): RefusalError {
  request.server.diskFullTracker.recordError(error instanceof RefusalError ? error.cause : error);
  if (error instanceof RefusalError) return error;
  const { code } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse('bodyTooLarge', { limit: formatBytes(request.routeOptions.bodyLimit ?? 0) });
  if (isFrameworkError(code)) return refuse(FRAMEWORK_ERRORS[code]);
  // The client disconnected while sending the body.
  if (error instanceof Error && error === request.raw.errored) return refuse('bodyIncomplete');
  // The account was deleted during the request.
  if (error instanceof AccountDeletedError || isAccountMissing(error))
    return refuseShared(request, 'unauthorized');
  if (error instanceof OverloadedError)
    return refuse('overloaded', { headers: RETRY_SOON, cause: error });
  // A lock, statement or connection timeout: nothing was written.
  if (isTimeout(error) || isConnectTimeout(error)) {
    const cause = new OverloadedError('database', error);
    return refuse('overloaded', { headers: RETRY_SOON, cause });
  }
  if (isInvalidValue(error)) return refuse('valueUnsupported', { cause: error });
  // Endpoints answer 500 with a sentence of their own.
  if (isServerUnavailable(error) && !findRoute(request))
    return refuse('notReady', { headers: RETRY_SOON, cause: error });
  return refuseShared(request, 'internalError', failureDetails(error));
}

/** Uses the sentence of the endpoint. Codes that the endpoint does not declare become a 500. */
export function refuseShared(
  request: FastifyRequest,
  code: keyof typeof DEFAULT_REFUSALS,
  details: RefusalDetails = {},
): RefusalError {
  const refusals: Refusals = findRoute(request)?.metadata.sharedRefusals ?? DEFAULT_REFUSALS;
  return createRefuser(refusals)(Object.hasOwn(refusals, code) ? code : 'internalError', details);
}

function formatBytes(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.floor(bytes / 1_024)} KiB` : `${bytes / 1_048_576} MiB`;
}

function isFrameworkError(code: string): code is keyof typeof FRAMEWORK_ERRORS {
  return Object.hasOwn(FRAMEWORK_ERRORS, code);
}

export function logAndConvertError(error: unknown, request: FastifyRequest): RefusalError {
  const refusal = toRefusal(error, request);
  const { cause } = refusal;
  request.refused ??= { reason: refusal.code };
  if (cause instanceof OverloadedError) request.refused.gate = cause.gate;
  const code = cause instanceof CallError ? cause.code : undefined;
  // For an overload the gate is enough, unless the database caused it.
  const isExpected = !cause || code || (cause instanceof OverloadedError && !cause.cause);
  if (refusal.status >= 500 && isExpected)
    request.log.warn({ gate: request.refused.gate, code }, refusal.message);
  else if (refusal.status >= 500) request.log.error({ err: refusal.cause }, refusal.message);
  else if (refusal.cause) request.log.warn({ err: refusal.cause }, 'refused by the database');
  return refusal;
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = logAndConvertError(error, request);
  void reply
    .status(refusal.status)
    // If no route matched, the hooks that set these headers did not run.
    .headers({ 'x-request-id': request.id, ...JSON_HEADERS, ...refusalHeaders(refusal) })
    .type('application/json; charset=utf-8')
    .send({ error: messageFor(request, refusal) });
}
