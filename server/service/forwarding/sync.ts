import { refusal } from '../../../contract/refusal.ts';
import { markAnyChanged } from '../../../db/queries/forwarding/forwarding-names.ts';
import {
  type ForwardingState,
  listForwarding,
} from '../../../db/queries/forwarding/forwarding-names.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { refuserOf } from '../refusal.ts';
import { type Alias, type Provider, explainProviderFailure } from './provider.ts';
import { type Reconciler, reconcile } from './reconcile.ts';
import type { SyncOptions, SyncReport } from './service.ts';

const refuse = refuserOf({
  providerSilent: refusal(
    502,
    'The provider does not tell its aliases.',
    'The provider could not be compared. {reason}',
    { reason: 'It could not be reached.' },
  ),
});

const LIST_MS = 120_000;

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
    await inTransaction(work.db, async (trx) => {
      await markAnyChanged(trx, name);
      // In case this process ends; until then a worker would only be in the way.
      await work.wake(trx, name, new Date(Date.now() + work.timing.leaseMs));
    });
    const result = await reconcile(work, name);
    (result === 'settled' ? repaired : waiting).push(name);
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
  const confirmed = state.released_at === null || state.alias_gone_at !== null;
  return !agrees || !state.settled || state.known !== state.wanted || !confirmed;
}
