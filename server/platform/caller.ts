import type { Scope } from '#contract/scope.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { Allowances } from './limits/allowances/allowances.ts';

export interface Caller {
  accountId: string;
  /** The person: another account if it acts for one that it keeps. */
  actorId: string;
  scope: Scope;
  /** What a connected app may do besides reading. */
  moreScopes?: readonly Scope[];
  /** Null without a name, undefined if the name was not looked up with the credential. */
  displayName?: string | null;
  /** The only project that the key may send metrics to. */
  keyProjectId?: string | undefined;
  /** Only set for sessions. Null if the account has no language. */
  language?: Language | null;
  /**
   * For a session, `keyId` is the API key that was used to log in, if any. `keeper` is the name, or
   * without one the id, of who acts for another account. The command line can open the database, so it
   * needs no credential.
   */
  credential:
    | { kind: 'key'; keyId: string }
    | {
        kind: 'session';
        sessionId: string;
        keyId: string | undefined;
        keeper?: string;
      }
    /** An AI client that a member connected. Only for `/mcp`. */
    | { kind: 'grant'; grantId: string; keyId: undefined; keeper?: string }
    | { kind: 'command'; keyId: undefined };
}

export interface RejectedCredentials {
  ok: false;
  /** For the log. Responses reveal only some of them. */
  reason:
    | 'keyMissing'
    | 'keyMalformed'
    | 'keyUnknown'
    | 'secretWrong'
    | 'keyRevoked'
    | 'keyExpired'
    | 'accountSuspended'
    | 'insufficientScope'
    | 'sessionMalformed'
    | 'sessionUnknown';
  /** Only set if the key exists, so that the log never contains made-up ids. */
  keyId?: string | undefined;
  /** Only set if the secret is right. */
  accountId?: string;
}

export type CheckedCredentials = { ok: true; caller: Caller } | RejectedCredentials;

export interface CredentialChecks {
  keys: { check: (header: string | string[] | undefined) => Promise<CheckedCredentials> };
  /** Of sessions. */
  tokens: { check: (token: string) => Promise<CheckedCredentials> };
}

export interface LoginContext {
  network: string;
  userAgent: string | undefined;
  /** Stored if the account has no language. */
  language: Language | null;
  allowances: Pick<Allowances, 'eventLimit'>;
}

/** The caller of operators' operations on the command line. No account has this id. */
export const COMMAND_LINE_ID = '00000000-0000-0000-0000-000000000000';

/** The actor of events that commands cause. */
export const OPERATOR_ACTOR = 'operator';

/** The actor of events that the identity provider causes. */
export const SIGN_ON_ACTOR = 'single sign-on';

export function credentialId(credential: Caller['credential']): string {
  if (credential.kind === 'command') return OPERATOR_ACTOR;
  if (credential.kind === 'key') return credential.keyId;
  if (credential.keeper !== undefined) return credential.keeper;
  return credential.kind === 'grant' ? credential.grantId : credential.sessionId;
}
