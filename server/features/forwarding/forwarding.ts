import type { FastifyBaseLogger } from 'fastify';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database, Executor, Transaction } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { listForwardedNames } from '#db/queries/addresses.ts';
import { markAllAliasesRemoved, markAliasRemoved } from '#db/queries/display-names.ts';
import { findDestination } from '#db/queries/postfix-aliases.ts';
import {
  type ForwardingState,
  listUnqueuedAliases,
  listForwarding,
  bumpRevisionIfForwarded,
} from '#db/queries/provider-aliases.ts';
import { recordProviderDestination } from '#db/queries/provider-destinations.ts';
import type { JobQueue } from '#server/platform/jobs/job-queue.ts';
import type { ForwardingSettings } from '#server/platform/settings/forwarding-settings.ts';
import type { Problem } from '#server/platform/text/problem.ts';
import { checkProvider, type ForwardingProvider } from './forwarding-provider.ts';
import {
  queueSync,
  type NameReconciler,
  reconcile,
  type ReconcileDeps,
  type ReconcileTiming,
  DEFAULT_TIMING,
} from './reconcile.ts';
import { cleanUpDestinations, syncAllNames, type SyncOptions, type SyncReport } from './sync.ts';

const CHECK_TIMEOUT_MS = 60_000;

export interface StagedForwarding extends ForwardingState {
  stage:
    | 'settled'
    | 'waiting'
    | 'waits for confirmation'
    /** A request is in flight, or its response was lost and it may still take effect. */
    | 'waits for the provider'
    | 'no provider';
}

export interface Forwarding {
  isAvailable: boolean;
  /** How many inboxes an address can have. */
  recipientLimit: number;
  enqueueSync: (trx: Transaction, name: string) => Promise<void>;
  addStage: (state: ForwardingState) => StagedForwarding;
}

/** Syncs the display name of the account, and the group addresses that reach it. */
export async function enqueueAccountSync(
  trx: Transaction,
  forwarding: Pick<Forwarding, 'enqueueSync'>,
  accountId: string,
): Promise<void> {
  for (const name of await listForwardedNames(trx, accountId))
    await forwarding.enqueueSync(trx, name);
}

export interface ForwardingService extends Forwarding, NameReconciler {
  /** Adds jobs for names that need a job but have none, for example after a backup was restored. */
  addMissingJobs: () => Promise<void>;
  check: () => Promise<Problem[]>;
  list: () => Promise<StagedForwarding[]>;
  sync: (options: SyncOptions) => Promise<SyncReport>;
  deleteUnusedDestinations: () => Promise<void>;
}

interface ForwardingOptions {
  config: ForwardingSettings & { MAIL_DOMAIN: string };
  db: Database;
  jobs: JobQueue;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  timing?: Partial<ReconcileTiming>;
}

export async function createForwarding(options: ForwardingOptions): Promise<ForwardingService> {
  const { config, db, jobs, logger } = options;
  const name = config.EMAIL_FORWARDING_PROVIDER;
  const provider = await createProvider(config, db);
  if (!provider) return createDatabaseForwarding(name, db);
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  return createProviderForwarding(name, { db, provider, jobs, timing, logger });
}

async function createProvider(
  config: ForwardingOptions['config'],
  db: Executor,
): Promise<ForwardingProvider | undefined> {
  const { MAIL_DOMAIN: mailDomain } = config;
  switch (config.EMAIL_FORWARDING_PROVIDER) {
    case 'none':
    case 'postfix':
      return undefined;
    case 'improvmx': {
      const { createImprovmxProvider } = await import('./improvmx.ts');
      const { IMPROVMX_API_KEY: apiKey, FORWARDING_API_URL: baseUrl } = config;
      return createImprovmxProvider({ apiKey, baseUrl, mailDomain });
    }
    case 'forward-email': {
      const { createForwardEmailProvider } = await import('./forward-email-provider.ts');
      const { FORWARD_EMAIL_API_KEY: apiKey, FORWARDING_API_URL: baseUrl } = config;
      return createForwardEmailProvider({ apiKey, baseUrl, mailDomain });
    }
    case 'cloudflare': {
      const { createCloudflareProvider } = await import('./cloudflare.ts');
      return createCloudflareProvider({
        apiToken: config.CLOUDFLARE_API_TOKEN,
        zoneId: config.CLOUDFLARE_ZONE_ID,
        accountId: config.CLOUDFLARE_ACCOUNT_ID,
        baseUrl: config.FORWARDING_API_URL,
        mailDomain,
        recordDestination: (email) => recordProviderDestination(db, email),
      });
    }
  }
}

function createProviderForwarding(name: string, deps: ReconcileDeps): ForwardingService {
  const { db, provider, jobs } = deps;
  return {
    isAvailable: true,
    recipientLimit: provider.forwardsToOne ? 1 : LIMITS.addressRecipients,
    addStage,
    enqueueSync: async (trx, displayName) => {
      if (await bumpRevisionIfForwarded(trx, displayName)) await queueSync(trx, jobs, displayName);
    },
    reconcileName: (displayName, signal) => reconcile(deps, displayName, signal),
    addMissingJobs: async () => {
      for (const { name: displayName, notBefore } of await listUnqueuedAliases(db))
        await inTransaction(db, (trx) => queueSync(trx, jobs, displayName, notBefore));
    },
    check: () => checkProvider(provider, AbortSignal.timeout(CHECK_TIMEOUT_MS)),
    list: async () => (await listForwarding(db)).map(addStage),
    sync: async (options) => {
      const report = await syncAllNames(deps, name, options);
      await cleanUpDestinations(deps);
      return report;
    },
    deleteUnusedDestinations: () => cleanUpDestinations(deps),
  };
}

/** Used with Postfix, which reads the database, and on servers without a provider. */
export function createDatabaseForwarding(provider: string, db: Executor): ForwardingService {
  const isAvailable = provider !== 'none';
  const addOwnStage = (state: ForwardingState) => addStageWithoutProvider(isAvailable, state);
  return {
    isAvailable,
    recipientLimit: isAvailable ? LIMITS.addressRecipients : 0,
    enqueueSync: markAliasRemoved,
    addStage: addOwnStage,
    addMissingJobs: () => markAllAliasesRemoved(db),
    check: async () => {
      await findDestination(db, '');
      return [];
    },
    list: async () => (await listForwarding(db)).map(addOwnStage),
    sync: async () => {
      await markAllAliasesRemoved(db);
      const compared = (await listForwarding(db)).length;
      return { provider, compared, repaired: [], waiting: [], unknown: [], pruned: [] };
    },
    deleteUnusedDestinations: async () => {},
  };
}

function addStageWithoutProvider(isAvailable: boolean, state: ForwardingState): StagedForwarding {
  const staged = addStage({
    ...state,
    provider_destination: isAvailable ? state.destination : null,
    is_synced: true,
    attempts: 0,
    last_error: null,
    next_try_at: null,
    uncertain_until: null,
  });
  const isRequested = state.destination !== null || state.unconfirmed;
  return !isAvailable && isRequested ? { ...staged, stage: 'no provider' } : staged;
}

function addStage(state: ForwardingState): StagedForwarding {
  return { ...state, stage: stageOf(state) };
}

function stageOf(state: ForwardingState): StagedForwarding['stage'] {
  if (state.unconfirmed) return 'waits for confirmation';
  if (state.is_synced) return 'settled';
  const hasInFlightRequest = state.uncertain_until !== null && state.last_error === null;
  return hasInFlightRequest ? 'waits for the provider' : 'waiting';
}
