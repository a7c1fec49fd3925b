import type { EventType } from '#contract/shared/event-types.ts';
import type { Database, Transaction } from '#db/connections/handles.ts';
import type { ExpiringTable } from '#db/queries/expired-rows.ts';
import type { Schema } from '#db/schema.ts';
import type { ArchiveFile } from '#server/platform/archive-file.ts';
import type { Job } from '#server/platform/jobs/define-job.ts';
import type { MailKind } from '#server/platform/mail/define-mail.ts';

/** `owner`: with an API key or session. `operator`: only for operators. `upload`: the body is a file. */
export type RouteGroup = 'public' | 'unauthenticated' | 'owner' | 'operator' | 'upload';

/** What a feature adds to the server. `Needs`: the services that its functions use. */
export interface Feature<Needs = never> {
  /** Handlers of the contracts by area, or functions that create them. */
  routes?: { [Group in RouteGroup]?: Record<string, object | ((app: Needs) => object)> };
  jobs?: readonly Job<any, Needs>[];
  mails?: readonly MailKind[];
  /** Runs every hour. */
  hourly?: (app: Needs, signal?: AbortSignal) => Promise<unknown>;
  /** Runs every hour and deletes old rows. Like `expiring`, it pauses for a day after a clock jump. */
  deletesByAge?: (app: Needs) => Promise<unknown>;
  /** Tables whose rows are deleted every hour, once `expired-rows.ts` says so. */
  expiring?: readonly ExpiringTable[];
  /** Tables with rows of accounts: whether `exportFiles` has them, or why not. */
  accountTables?: Partial<Record<keyof Schema, 'exported' | `not exported: ${string}`>>;
  onAccountClosed?: (trx: Transaction, app: Needs, account: ClosedAccount) => Promise<void>;
  /** Files are read when they are sent. */
  exportFiles?: (
    db: Database,
    account: ExportedAccount,
  ) => readonly ArchiveFile[] | Promise<readonly ArchiveFile[]>;
}

/** The account's access is revoked, and its row is locked. */
export interface ClosedAccount {
  accountId: string;
  name: string | null;
}

export interface ExportedAccount {
  accountId: string;
  /** The types of events to export. */
  types: readonly EventType[];
}

/** What features call without knowing who declares it. */
export interface AllFeatures {
  mails: ReadonlyMap<string, MailKind>;
  listExportFiles: (db: Database, account: ExportedAccount) => Promise<readonly ArchiveFile[]>;
  accountClosed: (trx: Transaction, account: ClosedAccount) => Promise<void>;
}

export function defineFeature<const F extends Feature>(feature: F): F {
  return feature;
}
