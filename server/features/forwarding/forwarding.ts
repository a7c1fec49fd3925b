import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import { inTransaction } from '#db/connections/transaction.ts';
import { markAllAliasesRemoved, markAliasRemoved } from '#db/queries/display-names.ts';
import {
  type ForwardingState,
  listUnqueuedAliases,
  listForwarding,
  bumpRevisionIfForwarded,
} from '#db/queries/forwarding/provider-aliases.ts';
import { findDestination } from '#db/queries/forwarding/postfix-aliases.ts';
import { noteProviderDestination } from '#db/queries/forwarding/provider-destinations.ts';
import type { Database } from '#db/schema.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { checkProvider, type Finding, type Provider } from './provider.ts';
import { reconcile, type Reconciler, type Timing, TIMING } from './reconcile.ts';
import type { ForwardingSettings } from './settings.ts';
import { discardUnwanted, sync, type SyncOptions, type SyncReport } from './sync.ts';

const CHECK_MS = 60_000;

/** A name with how far its forwarding is. */
export interface NameState extends ForwardingState {
  stage:
    | 'settled'
    | 'waiting'
    | 'waits for confirmation'
    /** A call is in progress, or had no response and may still take effect. */
    | 'waits for an answer'
    | 'nobody forwards';
}

/** Makes mail to display names go where the database says. */
export interface Forwarding {
  /** Whether mail is forwarded at all. */
  isAvailable: boolean;
  /** Adds, in the caller's transaction, the job that makes the provider agree about a name. */
  queue: (trx: Transaction<Database>, name: string) => Promise<void>;
  staged: (state: ForwardingState) => NameState;
}

export interface ForwardingService extends Forwarding {
  /** Registers the handler of its jobs. */
  work: () => void;
  /** Adds the jobs that are missing: a restored backup has none. */
  requeue: () => Promise<void>;
  /** Proves the credentials and looks for settings at the provider that break the rules about names. */
  check: () => Promise<ForwardingCheck>;
  /** Every name that has or had mail. */
  list: () => Promise<NameState[]>;
  /** Compares the whole provider with the database and repairs it. */
  sync: (options: SyncOptions) => Promise<SyncReport>;
  /** Makes the provider forget unwanted destinations that Nameplate made known there. */
  tidy: () => Promise<void>;
}

interface ForwardingCheck {
  provider: string;
  /** Whether there is no finding of level `error`. */
  ok: boolean;
  findings: Finding[];
}

interface ForwardingOptions {
  config: ForwardingSettings & { MAIL_DOMAIN: string };
  db: Kysely<Database>;
  jobs: JobQueue;
  logger: Pick<FastifyBaseLogger, 'warn'>;
  timing?: Partial<Timing>;
}

/** The forwarding that the settings choose. Nothing is called before `work`. */
export async function createForwarding(options: ForwardingOptions): Promise<ForwardingService> {
  const { config, db, jobs, logger } = options;
  const name = config.EMAIL_FORWARDING_PROVIDER;
  const provider = await createProvider(config, db);
  if (!provider) return databaseForwarding(name, db);
  const timing = { ...TIMING, ...options.timing };
  return providerForwarding(name, { db, provider, jobs, timing, logger });
}

/** Loads and creates the provider that is called over the network, if there is one. */
async function createProvider(
  config: ForwardingOptions['config'],
  db: Kysely<Database>,
): Promise<Provider | undefined> {
  const { MAIL_DOMAIN: mailDomain } = config;
  switch (config.EMAIL_FORWARDING_PROVIDER) {
    case 'none':
    case 'postfix':
      return undefined;
    case 'improvmx': {
      const { improvmx } = await import('./improvmx.ts');
      const { IMPROVMX_API_KEY: apiKey, FORWARDING_API_URL: baseUrl } = config;
      return improvmx({ apiKey, baseUrl, mailDomain });
    }
    case 'forward-email': {
      const { forwardEmail } = await import('./forward-email.ts');
      const { FORWARD_EMAIL_API_KEY: apiKey, FORWARDING_API_URL: baseUrl } = config;
      return forwardEmail({ apiKey, baseUrl, mailDomain });
    }
    case 'cloudflare': {
      const { cloudflare } = await import('./cloudflare.ts');
      return cloudflare({
        apiToken: config.CLOUDFLARE_API_TOKEN,
        zoneId: config.CLOUDFLARE_ZONE_ID,
        accountId: config.CLOUDFLARE_ACCOUNT_ID,
        baseUrl: config.FORWARDING_API_URL,
        mailDomain,
        noteDestination: (email) => noteProviderDestination(db, email),
      });
    }
  }
}

/** Forwarding by a provider that is called over the network. */
function providerForwarding(name: string, work: Reconciler): ForwardingService {
  const { db, provider, jobs } = work;
  return {
    isAvailable: true,
    staged: withStage,
    queue: async (trx, changed) => {
      if (await bumpRevisionIfForwarded(trx, changed))
        await jobs.add(trx, 'forwarding', { name: changed }, { key: changed });
    },
    work: () => jobs.work('forwarding', (job, { signal }) => reconcile(work, job.name, signal)),
    requeue: async () => {
      for (const forgotten of await listUnqueuedAliases(db))
        await inTransaction(db, (trx) =>
          jobs.add(
            trx,
            'forwarding',
            { name: forgotten.name },
            { key: forgotten.name, at: forgotten.notBefore ?? undefined },
          ),
        );
    },
    check: async () => {
      const findings = await checkProvider(provider, AbortSignal.timeout(CHECK_MS));
      return { provider: name, ok: findings.every(({ level }) => level !== 'error'), findings };
    },
    list: async () => (await listForwarding(db)).map(withStage),
    sync: async (options) => {
      const report = await sync(work, name, options);
      await discardUnwanted(work);
      return report;
    },
    tidy: () => discardUnwanted(work),
  };
}

/** Forwarding without a provider to call: what the database says is in effect from the commit on. */
export function databaseForwarding(provider: string, db: Kysely<Database>): ForwardingService {
  const isAvailable = provider !== 'none';
  const staged = (state: ForwardingState) => asWanted(isAvailable, state);
  return {
    isAvailable,
    queue: markAliasRemoved,
    staged,
    work: () => {},
    requeue: () => markAllAliasesRemoved(db),
    check: async () => {
      await findDestination(db, '');
      return { provider, ok: true, findings: [] };
    },
    list: async () => (await listForwarding(db)).map(staged),
    sync: async () => {
      await markAllAliasesRemoved(db);
      const names = (await listForwarding(db)).length;
      return { provider, names, repaired: [], waiting: [], strangers: [], pruned: [] };
    },
    tidy: async () => {},
  };
}

function asWanted(isAvailable: boolean, state: ForwardingState): NameState {
  const staged = withStage({
    ...state,
    known: isAvailable ? state.wanted : null,
    settled: true,
    attempts: 0,
    last_error: null,
    next_try_at: null,
    uncertain_until: null,
  });
  const isAsked = state.wanted !== null || state.unconfirmed;
  return !isAvailable && isAsked ? { ...staged, stage: 'nobody forwards' } : staged;
}

function withStage(state: ForwardingState): NameState {
  return { ...state, stage: stageOf(state) };
}

function stageOf(state: ForwardingState): NameState['stage'] {
  if (state.unconfirmed) return 'waits for confirmation';
  if (state.settled) return 'settled';
  const isAwaited = state.uncertain_until !== null && state.last_error === null;
  return isAwaited ? 'waits for an answer' : 'waiting';
}
