import { refusal } from '#contract/refusal.ts';
import {
  type ForwardingState,
  listForwarding,
  bumpRevision,
} from '#db/queries/forwarding/provider-aliases.ts';
import {
  findNamesForwardedTo,
  findUnwantedDestinations,
  forgetProviderDestinations,
} from '#db/queries/forwarding/provider-destinations.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { JobFailedError } from '#server/jobs/job-queue.ts';
import { refuserOf } from '#server/refusal.ts';
import { explainProviderFailure, type Alias, type Provider, ProviderError } from './provider.ts';
import { type Reconciler, reconcile } from './reconcile.ts';

const refuse = refuserOf({
  providerSilent: refusal(
    502,
    'The provider does not tell its aliases.',
    'The provider could not be compared. {reason}',
    { reason: 'It could not be reached.' },
  ),
});

const LIST_MS = 120_000;
const DISCARD_MS = 120_000;

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

/**
 * Compares the provider's aliases with the database in both directions. Names of ours that differ
 * are brought right; aliases that no account ever had are reported, and deleted only with `prune`.
 * Refuses if the provider does not tell them.
 */
export async function sync(
  work: Reconciler,
  provider: string,
  { prune = false, onProgress }: SyncOptions,
): Promise<SyncReport> {
  const aliases = await listAliases(work.provider);
  const states = await listForwarding(work.db);
  const strangers = findStrangers(aliases, states);
  const wrong = states.filter((state) => isWrong(state, aliases)).map(({ name }) => name);
  const names = prune ? [...wrong, ...strangers.map(({ name }) => name)] : wrong;
  const [repaired, waiting]: [string[], string[]] = [[], []];
  for (const [index, name] of names.entries()) {
    // In case this process ends, a server tries later.
    await markForJob(work, name, new Date(Date.now() + work.timing.leaseMs));
    const isSettled = await reconcile(work, name).catch((error: unknown) => {
      if (error instanceof JobFailedError) return false;
      throw error;
    });
    (isSettled ? repaired : waiting).push(name);
    onProgress?.({ done: index + 1, total: names.length, name });
  }
  const pruned = new Set(prune ? strangers.map(({ name }) => name) : []);
  return {
    provider,
    names: new Set([...aliases, ...states].map(({ name }) => name)).size,
    repaired: repaired.filter((name) => !pruned.has(name)),
    waiting,
    strangers: prune ? [] : strangers,
    pruned: repaired.filter((name) => pruned.has(name)),
  };
}

async function markForJob({ db, jobs }: Reconciler, name: string, at?: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await bumpRevision(trx, name);
    await jobs.add(trx, 'forwarding', { name }, { key: name, at });
  });
}

async function listAliases(provider: Provider): Promise<Alias[]> {
  try {
    return await provider.list(AbortSignal.timeout(LIST_MS));
  } catch (error) {
    throw refuse('providerSilent', { reason: explainProviderFailure(error) });
  }
}

function findStrangers(aliases: readonly Alias[], states: readonly ForwardingState[]): Alias[] {
  const ours = new Set(states.map(({ name }) => name));
  return aliases.filter(({ name }) => !ours.has(name));
}

function isWrong(state: ForwardingState, aliases: readonly Alias[]): boolean {
  const destinations = aliases.filter(({ name }) => name === state.name);
  const agrees =
    state.wanted === null
      ? destinations.length === 0
      : destinations.length === 1 && destinations[0]?.destination === state.wanted;
  const confirmed = state.released_at === null || state.alias_removed_at !== null;
  return !agrees || !state.settled || state.known !== state.wanted || !confirmed;
}

/**
 * Makes the provider forget the destinations that Nameplate made known there and that no account has had
 * for a while. Their number is limited. Those that the operator made known stay.
 */
export async function discardUnwanted(work: Reconciler): Promise<void> {
  const { provider, db, timing, logger } = work;
  if (!provider.discard) return;
  const unwanted = await findUnwantedDestinations(db, timing.unwantedMs);
  if (unwanted.length === 0) return;
  try {
    const gone = await provider.discard(unwanted, AbortSignal.timeout(DISCARD_MS));
    await forgetProviderDestinations(db, gone);
    // Somebody may have chosen one of them just now.
    for (const name of await findNamesForwardedTo(db, gone)) await markForJob(work, name);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logger.warn({ code: error.code }, 'the provider keeps destinations that nobody wants');
  }
}
