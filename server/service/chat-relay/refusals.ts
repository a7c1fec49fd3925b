import { CHAT_RELAY } from '../../../contract/chat-relay-refusals.ts';
import type { ChatStop } from '../../../db/queries/chat/chat-stops.ts';
import { OverloadedError } from '../../load/overloaded-error.ts';
import { type RefusalError, refuserOf } from '../refusal.ts';
import type { Verdict } from './verdict.ts';

const refuse = refuserOf(CHAT_RELAY);

/** Refuses a call that there is no room for. */
export function overloaded(): RefusalError {
  return refuse('relayOverloaded', {
    headers: retryAfter(1),
    cause: new OverloadedError('chat-relay'),
  });
}

/** Refuses a message of an account that sends too many. */
export function tooManySends(seconds: number): RefusalError {
  return refuse('relayRateLimited', waiting(seconds));
}

/** Refusal of a call that did not succeed. */
export function toRefusal(verdict: Exclude<Verdict, { kind: 'done' }>): RefusalError {
  switch (verdict.kind) {
    case 'refused':
      return refuse('chatPlatformRefused', { answer: verdict.message });
    case 'limited':
      return refuse('chatPlatformRateLimited', waiting(verdict.seconds));
    case 'blocked':
      return refuse('relayBlocked', waiting(verdict.seconds));
    case 'failed': {
      const { outcomeUnknown, cause, retrySeconds } = verdict;
      const headers = retrySeconds === undefined ? {} : retryAfter(retrySeconds);
      return outcomeUnknown
        ? refuse('outcomeUnknown', { outcomeUnknown, cause, headers })
        : refuse('chatPlatformFailed', { cause, headers });
    }
  }
}

/** Refusal of a call that is not made. */
export function toStopRefusal({ subject, reason, seconds }: ChatStop): RefusalError {
  if (reason === 'dead') return refuse('webhookNotFound');
  if (subject.startsWith('webhook:')) return refuse('chatPlatformRateLimited', waiting(seconds));
  if (reason !== 'refusals') return refuse('relayBlocked', waiting(seconds));
  return refuse(
    subject.startsWith('account:') ? 'relayPausedForAccount' : 'relayPaused',
    waiting(seconds),
  );
}

function waiting(seconds: number): { seconds: number; headers: Record<string, string> } {
  return { seconds: whole(seconds), headers: retryAfter(seconds) };
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(whole(seconds)) };
}

function whole(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
