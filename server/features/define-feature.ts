import type { EventType } from '#contract/shared/event-types.ts';
import type { OptionalFeature } from '#contract/shared/optional-features.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import type { ExpiringTable } from '#db/queries/expired-rows.ts';
import type { Schema } from '#db/schema.ts';
import type { Core } from '#server/core.ts';
import type { ArchiveFile } from '#server/platform/archive-file.ts';
import type { Job } from '#server/platform/jobs/define-job.ts';
import type { MailKind } from '#server/platform/mail/define-mail.ts';
import type { Translator } from '#translations/translator.ts';
import type { React, Reactions } from './facts.ts';
import type { NewFinding } from './finding.ts';
import type { StoredState } from './setup/stored-state.ts';

/** `owner`: with an API key or session. `operator`: only for operators. `upload`: the body is a file. */
export type RouteGroup = 'public' | 'unauthenticated' | 'owner' | 'operator' | 'upload';

/** `stored` is undefined if the database cannot be used. */
export type FindingReader<App = unknown> = (
  app: App,
  stored: StoredState | undefined,
  t: Translator,
) => NewFinding | undefined | Promise<NewFinding | undefined>;

export type ToDoReader<App = unknown> = (
  app: App,
  db: ReadDatabase,
  t: Translator,
) => Promise<NewFinding | undefined>;

/** `actorId` differs from `accountId` if a keeper acts for the account. */
export interface ToDoOwner {
  accountId: string;
  actorId: string;
}

export type OwnToDoReader = (
  db: ReadDatabase,
  owner: ToDoOwner,
  t: Translator,
) => Promise<NewFinding | undefined>;

type AreaHandlers = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** What a feature adds to the server. `App`: what its functions use. */
export interface Feature<App = never, Needed = App> {
  name: string;
  /** `FEATURES_OFF` may leave it out. Required features cannot need it. */
  optional?: true;
  /** The features whose services its functions use. */
  needs?: readonly Feature[];
  /** Creates what other functions find as `app.<name>`, after those of earlier features. */
  service?: (app: Needed) => unknown;
  /** `accountClosed` also reaches optional features that are off, which have no service then. */
  reactions?: Reactions<App>;
  /** What waits for operators. Home asks at every navigation, so they ask no other service. */
  toDo?: readonly ToDoReader<App>[];
  /** To-do items of the account's owner, read at every navigation. */
  ownToDo?: readonly OwnToDoReader[];
  /** The state of the setup, for "Your server" and `nameplate check`. */
  findings?: readonly FindingReader<App>[];
  /** Handlers of the contracts by area, or functions that create them. */
  routes?: { [Group in RouteGroup]?: Record<string, AreaHandlers | ((app: App) => object)> };
  jobs?: readonly Job<any, App>[];
  mails?: readonly MailKind[];
  /** Paths that mails link to. If the feature is off, they say so. */
  links?: readonly string[];
  /** Runs at each start of the server, before its jobs. */
  onStart?: (app: App) => Promise<unknown>;
  /** Runs every hour. */
  hourly?: (app: App, signal?: AbortSignal) => Promise<unknown>;
  /**
   * Runs every hour and deletes old rows, also while the feature is off and has no service. Like
   * `expiring`, it pauses for a day after a clock jump.
   */
  deletesByAge?: (app: App) => Promise<unknown>;
  /** Tables whose rows are deleted every hour, once `expired-rows.ts` says so. */
  expiring?: readonly ExpiringTable[];
  /** Tables with rows of accounts: whether `exportFiles` has them, or why not. */
  accountTables?: Partial<Record<keyof Schema, 'exported' | `not exported: ${string}`>>;
  /** Files are read when they are sent. */
  exportFiles?: (
    db: Database,
    account: ExportedAccount,
  ) => readonly ArchiveFile[] | Promise<readonly ArchiveFile[]>;
}

/** Services may have these functions. */
export interface ServiceLifetime {
  /** Called when the server begins to stop: ends what requests in flight wait for. */
  abort?: () => void;
  /** Called after the last request. */
  close?: () => void | Promise<void>;
}

export interface ExportedAccount {
  accountId: string;
  /** The types of events to export. */
  types: readonly EventType[];
}

/** What features call without knowing who declares it. */
export interface AllFeatures {
  /** Those that run in this app, in the order of their list. */
  list: readonly Feature<any>[];
  /** The optional features that do not run in this app. */
  off: readonly OptionalFeature[];
  mails: ReadonlyMap<string, MailKind>;
  listToDo: (db: ReadDatabase, t: Translator) => Promise<NewFinding[]>;
  listOwnToDo: (db: ReadDatabase, owner: ToDoOwner, t: Translator) => Promise<NewFinding[]>;
  listFindings: (stored: StoredState | undefined, t: Translator) => Promise<NewFinding[]>;
  listExportFiles: (db: Database, account: ExportedAccount) => Promise<readonly ArchiveFile[]>;
}

type OwnService<F, Missing = never> = F extends {
  name: infer Name extends string;
  service: (app: never) => infer Service;
}
  ? [Service] extends [never]
    ? unknown
    : { [Key in Name]: Awaited<Service> | Missing }
  : unknown;

type NeedsOf<F> = F extends { needs: readonly (infer Needed)[] } ? Needed | NeedsOf<Needed> : never;

/** Turns `A | B` into `A & B`. The members are properties, because unknown ones absorb a union. */
export type Merged<Union> = (
  Union extends { merged: infer Member } ? (member: Member) => void : never
) extends (all: infer All) => void
  ? All
  : never;

type FeatureCore = Core & { features: AllFeatures; react: React };

/** What functions of a union of features use: `Core` and the services of these. */
export type AppWith<F> = FeatureCore &
  Merged<F extends unknown ? { merged: OwnService<F> } : never>;

/** Like `AppWith`, but the services of optional features may be missing. */
export type AppWithout<F> = FeatureCore &
  Merged<
    F extends unknown
      ? { merged: OwnService<F, F extends { optional: true } ? undefined : never> }
      : never
  >;

type AppNeeding<Needs extends readonly unknown[]> = AppWith<Needs[number] | NeedsOf<Needs[number]>>;

/** The compiler checks that functions use only services of the feature and of those it needs. */
export function defineFeature<
  const Name extends string,
  const Rest extends Feature<
    AppNeeding<Needs> & OwnService<{ name: Name; service: () => Service }>,
    AppNeeding<Needs>
  >,
  const Needs extends readonly Feature[] = [],
  Service = never,
>(
  feature: { name: Name; needs?: Needs; service?: (app: AppNeeding<Needs>) => Service } & Rest,
): Rest {
  return feature;
}
