import { refusal } from '#contract/refusal.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  type ForwardingState,
  listForwarding,
  bumpRevision,
} from '#db/queries/provider-aliases.ts';
import {
  findNamesForwardedTo,
  refreshUnusedDestinations,
  deleteProviderDestinations,
} from '#db/queries/provider-destinations.ts';
import { JobFailedError } from '#server/platform/jobs/job-queue.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import {
  type Alias,
  type ForwardingProvider,
  ForwardingProviderError,
  isSameDestination,
  PROVIDER_ERRORS,
} from './forwarding-provider.ts';
import { queueSync, type ReconcileDeps, reconcile } from './reconcile.ts';

const refuse = createRefuser({
  aliasesUnavailable: refusal(
    502,
    'The aliases of the provider cannot be read.',
    'The aliases could not be compared. {reason}',
    { reason: 'It could not be reached.' },
  ),
});

const LIST_TIMEOUT_MS = 120_000;
const DELETE_TIMEOUT_MS = 120_000;

export interface SyncOptions {
  /** Deletes aliases whose names are not in the database. */
  prune?: boolean;
}

export interface SyncReport {
  provider: string;
  compared: number;
  /** Names whose alias differed from the database and has been fixed. */
  repaired: string[];
  /** Names that still differ. Their jobs will be retried. */
  waiting: string[];
  unknown: { name: string; destination: string }[];
  pruned: string[];
}

export async function syncAllNames(
  deps: ReconcileDeps,
  providerName: string,
  { prune = false }: SyncOptions,
): Promise<SyncReport> {
  const aliases = await listAliases(deps.provider);
  const states = await listForwarding(deps.db);
  const unknown = findUnknownAliases(aliases, states);
  const aliasesByName = Map.groupBy(aliases, ({ name }) => name);
  const unsyncedNames = states
    .filter((state) => needsSync(state, aliasesByName.get(state.name) ?? []))
    .map(({ name }) => name);
  const names = prune ? [...unsyncedNames, ...unknown.map(({ name }) => name)] : unsyncedNames;
  const repaired: string[] = [];
  const waiting: string[] = [];
  for (const name of names) {
    // If this process is killed, a server will run this job.
    await addJob(deps, name, new Date(Date.now() + deps.timing.leaseMs));
    const isSynced = await reconcile(deps, name).catch((error: unknown) => {
      if (error instanceof JobFailedError) return false;
      throw error;
    });
    (isSynced ? repaired : waiting).push(name);
  }
  const pruned = new Set(prune ? unknown.map(({ name }) => name) : []);
  return {
    provider: providerName,
    compared: new Set([...aliases, ...states].map(({ name }) => name)).size,
    repaired: repaired.filter((name) => !pruned.has(name)),
    waiting,
    unknown: prune ? [] : unknown,
    pruned: repaired.filter((name) => pruned.has(name)),
  };
}

async function addJob({ db, jobs }: ReconcileDeps, name: string, startAt?: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await bumpRevision(trx, name);
    await queueSync(trx, jobs, name, startAt);
  });
}

async function listAliases(provider: ForwardingProvider): Promise<Alias[]> {
  try {
    return await provider.list(AbortSignal.timeout(LIST_TIMEOUT_MS));
  } catch (error) {
    const reason =
      error instanceof ForwardingProviderError ? error.message : PROVIDER_ERRORS.internal;
    throw refuse('aliasesUnavailable', { reason });
  }
}

function findUnknownAliases(
  aliases: readonly Alias[],
  states: readonly ForwardingState[],
): Alias[] {
  const storedNames = new Set(states.map(({ name }) => name));
  return aliases.filter(({ name }) => !storedNames.has(name));
}

/** `matches` are the aliases of the name. */
function needsSync(state: ForwardingState, matches: readonly Alias[]): boolean {
  const isAliasCorrect =
    state.destination === null
      ? matches.length === 0
      : matches.length === 1 && isSameDestination(matches[0]?.destination, state.destination);
  const isRemovalConfirmed = state.released_at === null || state.alias_removed_at !== null;
  return (
    !isAliasCorrect ||
    !state.is_synced ||
    state.provider_destination !== state.destination ||
    !isRemovalConfirmed
  );
}

/**
 * Deletes unused destinations that Nameplate added, because the provider limits how many can exist.
 */
export async function cleanUpDestinations(deps: ReconcileDeps): Promise<void> {
  const { provider, db, timing, logger } = deps;
  if (!provider.deleteDestinations) return;
  const unused = await refreshUnusedDestinations(db, timing.unusedDestinationMs);
  if (unused.length === 0) return;
  try {
    const deleted = await provider.deleteDestinations(
      unused,
      AbortSignal.timeout(DELETE_TIMEOUT_MS),
    );
    await deleteProviderDestinations(db, deleted);
    // An account may have started to use a deleted destination after the query above.
    for (const name of await findNamesForwardedTo(db, deleted)) await addJob(deps, name);
  } catch (error) {
    if (!(error instanceof ForwardingProviderError)) throw error;
    logger.warn(
      { code: error.code },
      'failed to delete unused destinations at the forwarding provider',
    );
  }
}
