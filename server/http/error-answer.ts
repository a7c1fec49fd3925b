import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { KEY_REQUIRED } from '../../contract/errors.ts';
import { AccountGoneError } from '../../db/account-gone.ts';
import { PoolExhaustedError } from '../../db/postgres.ts';
import { isMissingReference, isTemporary, isUnstorable } from '../../db/sql-state.ts';
import { findRoute } from './adapter.ts';
import { RequestError } from '../service/request-error.ts';
import { standardHeaders } from './transport.ts';

const RETRY_SOON = { 'retry-after': '1' };

/** The framework's own refusals, in our words: nothing of the request is repeated in them. */
const FRAMEWORK_ERRORS: Record<string, [status: number, message: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The Content-Type must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The request body is larger than 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The request body does not match its Content-Length.'],
  FST_ERR_BAD_URL: [400, 'The URL is not valid.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'There is nothing at this path.'],
  FST_ERR_ASYNC_CONSTRAINT: [400, 'The request is not valid.'],
};

/** Turns anything thrown into what the caller is told. What it was is told to the log alone. */
export function toRequestError(error: unknown, request: FastifyRequest): RequestError {
  if (error instanceof RequestError) return error;
  const metadata = findRoute(request)?.metadata;
  const failure = metadata?.failure ?? 'Something went wrong on the server.';
  const [status, message] = FRAMEWORK_ERRORS[(error as FastifyError).code] ?? [];
  if (status && message) return new RequestError(status, message);
  // The caller hung up while the body was on its way: nobody will read the answer.
  if (error instanceof Error && error === request.raw.errored)
    return new RequestError(400, 'The request ended before all of its body had arrived.');
  // A foreign key to the account is all that can be missing: it was deleted during the request.
  if (error instanceof AccountGoneError || isMissingReference(error))
    return new RequestError(401, metadata?.unauthorized ?? KEY_REQUIRED);
  if (error instanceof PoolExhaustedError)
    return new RequestError(503, 'The service is overloaded; try again in a moment.', {
      headers: RETRY_SOON,
    });
  if (isUnstorable(error))
    return new RequestError(400, 'The request holds a value that cannot be stored.', {
      cause: error,
    });
  return toFailure(failure, error);
}

/** A 500 with its sentence, which invites to try again if that can help. */
export function toFailure(sentence: string, cause: unknown): RequestError {
  return new RequestError(500, sentence, { headers: isTemporary(cause) ? RETRY_SOON : {}, cause });
}

/** Answers anything thrown with `{ error }`, and logs what a caller must not see. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = toRequestError(error, request);
  // Without a cause it was foreseen: overload, or limits of the chat platform.
  if (answer.status >= 500 && !answer.cause) request.log.warn(answer.message);
  else if (answer.status >= 500) request.log.error({ err: answer.cause }, answer.message);
  else if (answer.cause) request.log.warn({ err: answer.cause }, 'refused by the database');
  void reply
    .status(answer.status)
    // Again for a URL that cannot be routed: no hook ran.
    .headers({ ...standardHeaders(request.id), ...answer.headers })
    .send({ error: answer.message });
}
