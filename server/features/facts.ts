import type { Transaction } from '#db/connections/handles.ts';
import type { SessionRow } from '#db/queries/sessions.ts';
import type { Caller } from '#server/platform/caller.ts';

/** What one feature does and others react to. Another fact needs two features that would use it. */
export interface Facts {
  /** A display name was claimed, sent again, or released. */
  nameChanged: NameChange;
  /** The account's access is revoked, and its row is locked. */
  accountClosed: { accountId: string; name: string | null };
  /** An account was suspended or resumed. Its row is locked. */
  accountSuspended: { accountId: string };
  /** Sessions were deleted, and the account is locked. `everywhere`: all access of the account ends. */
  sessionsEnded: { accountId: string; everywhere: boolean };
  /** A new account was created with a link that was mailed to `email`. */
  addressConfirmed: ConfirmedAddress;
  /**
   * Members joined or left the group, or it was deleted or brought back. Nobody is refused if no
   * operator did it: readers whom an address has no room for are left out.
   */
  groupChanged: { groupId: string; operatorId: string | null };
  /** A new account was created with an invitation. */
  invitationAccepted: { invitationId: string; accountId: string };
  /** The page changed. */
  siteSaved: { accountId: string; by: string };
}

export interface NameChange {
  accountId: string;
  from: string | null;
  to: string | null;
  /** Undefined if the account is new or being deleted. */
  changed?: {
    /** Undefined if an operator did it. */
    credential: Caller['credential'] | undefined;
    /** The id of the credential, or that of operators. */
    by: string;
  };
}

export interface ConfirmedAddress {
  session: Pick<SessionRow, 'id' | 'account_id'>;
  email: string;
  /** Where its mail should go, if that is another address. */
  forward_to: string | null;
}

/** Calls the reactions of all features, in the order of their list, within the transaction. */
export type React = <Fact extends keyof Facts>(
  trx: Transaction,
  fact: Fact,
  detail: Facts[Fact],
) => Promise<void>;

export type Reactions<App> = {
  [Fact in keyof Facts]?: (trx: Transaction, app: App, detail: Facts[Fact]) => Promise<void>;
};
