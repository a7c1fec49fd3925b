import type { Scope } from '#contract/scope.ts';

/** Who calls: an account, and the way by which it came in. */
export interface Caller {
  accountId: string;
  /** Scope of the key or session. */
  scope: Scope;
  /** With the key by which a session was begun, if it was by one. */
  via:
    | { kind: 'key'; keyId: string }
    | { kind: 'session'; sessionId: string; keyId: string | undefined };
}

/** Who does what a command does, as events know it. */
export const OPERATOR = 'operator';

/** Id of the key or session for events: the id of the key or of the session. */
export function idOf(via: Caller['via']): string {
  return via.kind === 'key' ? via.keyId : via.sessionId;
}
