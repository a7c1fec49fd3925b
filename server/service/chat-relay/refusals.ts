import type { ChatStop } from '../../../db/queries/chat-relay.ts';
import { RequestError } from '../request-error.ts';
import type { Verdict } from './verdict.ts';

/** Refuses a call that there is no room for. */
export function overloaded(): RequestError {
  return new RequestError(503, 'Too many messages are on their way; try again in a moment.', {
    headers: retryAfter(1),
  });
}

/** What the caller of a call that did not succeed is told. */
export function toRefusal(verdict: Exclude<Verdict, { kind: 'done' }>): RequestError {
  switch (verdict.kind) {
    case 'refused':
      return new RequestError(400, `The chat platform answered: ${verdict.message}`);
    case 'limited':
      return limited(verdict.seconds);
    case 'blocked':
      return blocked(verdict.seconds);
    case 'failed':
      return new RequestError(
        500,
        verdict.outcomeUnknown
          ? 'The chat platform did not answer as it should, and it is unknown whether the message went out; check the channel before you send it again.'
          : 'The chat platform could not be reached or failed; the message did not go out.',
        {
          outcomeUnknown: verdict.outcomeUnknown,
          cause: verdict.cause,
          ...(verdict.retrySeconds !== undefined && { headers: retryAfter(verdict.retrySeconds) }),
        },
      );
  }
}

/** What the caller of a call that is not made is told. */
export function toStopRefusal({ subject, reason, seconds }: ChatStop): RequestError {
  if (reason === 'dead')
    return new RequestError(
      400,
      'The chat platform does not know this webhook: it was deleted, or the token in its URL is wrong.',
    );
  if (subject.startsWith('webhook:')) return limited(seconds);
  if (reason !== 'refusals') return blocked(seconds);
  const whose = subject.startsWith('account:') ? 'of this account' : 'of this service';
  return new RequestError(
    503,
    `The chat platform refused too many messages ${whose}; try again in ${whole(seconds)} seconds.`,
    { headers: retryAfter(seconds) },
  );
}

function limited(seconds: number): RequestError {
  return new RequestError(
    500,
    `The chat platform takes no more messages at the moment; try again in ${whole(seconds)} seconds.`,
    { headers: retryAfter(seconds) },
  );
}

function blocked(seconds: number): RequestError {
  return new RequestError(
    503,
    `The chat platform takes no messages of this service at the moment; try again in ${whole(seconds)} seconds.`,
    { headers: retryAfter(seconds) },
  );
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(whole(seconds)) };
}

function whole(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
