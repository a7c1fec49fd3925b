import type { Transaction } from 'kysely';
import type { ForwardingState } from '../../../db/queries/forwarding/forwarding-names.ts';
import type { NoticeKind } from '../../../db/queries/notices.ts';
import type { Database } from '../../../db/schema.ts';
import type { Finding } from './provider.ts';
import type { NameState } from './stage.ts';

/** Brings mail forwarding outside to what the database says it should be. */
export interface Forwarding {
  /** Whether there is anybody who forwards mail. */
  isAvailable: boolean;
  /** Writes, in the caller's transaction, the job that makes the provider agree about a name. */
  queue: (trx: Transaction<Database>, name: string) => Promise<void>;
  /** Says how far the forwarding of a name is. */
  staged: (state: ForwardingState) => NameState;
  /**
   * Writes, in the caller's transaction, the job that sends the mail which is due to a destination.
   * Where it is missing the service sends no mail, so that nobody is asked or told.
   */
  mail?: (trx: Transaction<Database>, destinationId: string) => Promise<void>;
  /** Writes, in the caller's transaction, the job that tells an owner something, where the service sends mail. */
  notify?: (trx: Transaction<Database>, notice: { id: string; kind: NoticeKind }) => Promise<void>;
  /** Writes, in the caller's transaction, the job that mails the link of a registration, where the service sends mail. */
  register?: (trx: Transaction<Database>, registrationId: string) => Promise<void>;
}

/** Forwarding with everything that a process and an operator need. */
export interface ForwardingService extends Forwarding {
  /** Registers the handlers of its jobs. */
  work: () => void;
  /** Adds the jobs that the database says are needed; a restored backup has none. */
  requeue: () => Promise<void>;
  /** Proves the credentials and looks for what defeats the rules about names. */
  check: () => Promise<ForwardingCheck>;
  /** Every name that has or had mail, with what is wanted and what is known. */
  list: () => Promise<NameState[]>;
  /** Compares the whole provider with the database and repairs it. */
  sync: (options: SyncOptions) => Promise<SyncReport>;
  /** Makes the provider forget destinations that it knows from Nameplate and that nobody wants. */
  tidy: () => Promise<void>;
}

interface ForwardingCheck {
  provider: string;
  /** Whether there is no finding of level `error`. */
  ok: boolean;
  findings: Finding[];
}

export interface SyncOptions {
  /** Whether aliases that no account of ours ever had are deleted. */
  prune?: boolean;
  onProgress?: (progress: SyncProgress) => void;
}

/** A name that was compared just now, and how far the comparison is. */
export interface SyncProgress {
  done: number;
  total: number;
  name: string;
}

export interface SyncReport {
  provider: string;
  /** Names and aliases that were compared. */
  names: number;
  /** Names that were wrong and are right now. */
  repaired: string[];
  /** Names that are not right yet; the queue goes on with them. */
  waiting: string[];
  /** Aliases that no account of ours ever had, left as they are. */
  strangers: { name: string; destination: string }[];
  /** Names that were deleted. */
  pruned: string[];
}
