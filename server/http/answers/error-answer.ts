import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusals } from '#contract/refusal.ts';
import { RATE_LIMIT_REFUSALS, WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { AccountGoneError } from '#db/account-gone.ts';
import { isTimeout, isForeignKeyViolation, isInvalidValue } from '#db/sql-state.ts';
import { OverloadedError } from '#server/limits/overloaded-error.ts';
import {
  type Circumstances,
  RETRY_SOON,
  RefusalError,
  failedBy,
  refuserOf,
} from '#server/refusal.ts';
import { findRoute } from '../contract/adapter.ts';
import { JSON_HEADERS, refusalHeaders } from './headers.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';

const refuse = refuserOf({ ...RATE_LIMIT_REFUSALS, ...WRITE_REFUSALS, ...BELOW_ENDPOINTS });

/** The framework's own refusals, in our words: nothing of the request is repeated in them. */
const FRAMEWORK_ERRORS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'contentTypeUnsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bodyLengthMismatch',
  FST_ERR_BAD_URL: 'urlInvalid',
  FST_ERR_MAX_PARAM_LENGTH: 'pathNotFound',
  FST_ERR_NOT_FOUND: 'pathNotFound',
  FST_ERR_ASYNC_CONSTRAINT: 'requestInvalid',
} as const;

/** Refusals where no endpoint has its own words. */
const OUTSIDE = {
  ...AUTHENTICATED_DEFAULTS.requestRefusals,
  internalError: BELOW_ENDPOINTS.internalError,
};

/** Turns anything thrown into what the caller is told. What it was is told to the log alone. */
export function toRefusal(error: unknown, request: FastifyRequest): RefusalError {
  request.server.fullDisk.note(error instanceof RefusalError ? error.cause : error);
  if (error instanceof RefusalError) return error;
  const { code } = error as FastifyError;
  if (isFrameworkError(code)) return refuse(FRAMEWORK_ERRORS[code]);
  // The caller hung up while the body was on its way: nobody will read the answer.
  if (error instanceof Error && error === request.raw.errored) return refuse('bodyIncomplete');
  // A foreign key to the account is all that can be missing: it was deleted during the request.
  if (error instanceof AccountGoneError || isForeignKeyViolation(error))
    return refuseInWordsOf(request, 401);
  if (error instanceof OverloadedError)
    return refuse('overloaded', { headers: RETRY_SOON, cause: error });
  // Nothing was done: others held a lock, or the processor, for too long.
  if (isTimeout(error)) {
    const cause = new OverloadedError('database', error);
    return refuse('overloaded', { headers: RETRY_SOON, cause });
  }
  if (isInvalidValue(error)) return refuse('valueUnsupported', { cause: error });
  return refuseInWordsOf(request, 500, failedBy(error));
}

/** Refuses as the endpoint of the request does it: that a key is needed, its account is suspended, or it failed. */
export function refuseInWordsOf(
  request: FastifyRequest,
  status: 401 | 403 | 500,
  about: Circumstances = {},
): RefusalError {
  const refusals: Refusals = findRoute(request)?.metadata.sharedRefusals ?? OUTSIDE;
  const code =
    Object.keys(refusals).find((key) => refusals[key]?.status === status) ?? 'internalError';
  return refuserOf(refusals)(code, about);
}

function isFrameworkError(code: string): code is keyof typeof FRAMEWORK_ERRORS {
  return Object.hasOwn(FRAMEWORK_ERRORS, code);
}

/** Describes to a caller anything that was thrown. What they must not see is logged. */
export function explainError(error: unknown, request: FastifyRequest): RefusalError {
  const answer = toRefusal(error, request);
  const { cause } = answer;
  request.refused ??= { reason: answer.code };
  if (cause instanceof OverloadedError) request.refused.gate = cause.gate;
  // The gate says all of an overload, unless the database held the request up.
  const isForeseen = !cause || (cause instanceof OverloadedError && !cause.cause);
  if (answer.status >= 500 && isForeseen)
    request.log.warn({ gate: request.refused.gate }, answer.message);
  else if (answer.status >= 500) request.log.error({ err: answer.cause }, answer.message);
  else if (answer.cause) request.log.warn({ err: answer.cause }, 'refused by the database');
  return answer;
}

/** Answers anything thrown with `{ error }`. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = explainError(error, request);
  void reply
    .status(answer.status)
    // Where nothing could be routed no hook of an entry point ran.
    .headers({ 'x-request-id': request.id, ...JSON_HEADERS, ...refusalHeaders(answer) })
    .send({ error: answer.message });
}
