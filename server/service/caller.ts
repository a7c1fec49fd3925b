import type { Scope } from '../../contract/scope.ts';

/** Who calls: an account, and the way by which it came in. */
export interface Caller {
  accountId: string;
  /** What it may do. */
  scope: Scope;
  /** With the key by which a session was begun, if it was by one. */
  via:
    | { kind: 'key'; keyId: string }
    | { kind: 'session'; sessionId: string; keyId: string | undefined };
}
