import type { Kysely } from 'kysely';
import { confirmAliasesGone } from '../../../db/queries/display-names.ts';
import {
  type ForwardingState,
  listForwarding,
} from '../../../db/queries/forwarding/forwarding-names.ts';
import { confirmAliasGone } from '../../../db/queries/display-names.ts';
import { findDestination } from '../../../db/queries/forwarding/postfix-aliases.ts';
import type { Database } from '../../../db/schema.ts';
import type { ForwardingService } from './service.ts';
import { type NameState, withStage } from './stage.ts';

/**
 * Forwarding without anything outside to call: the database is the truth, and what it says holds
 * from the commit on.
 */
export function databaseForwarding(provider: string, db: Kysely<Database>): ForwardingService {
  const isAvailable = provider !== 'none';
  const staged = (state: ForwardingState) => asWanted(isAvailable, state);
  return {
    isAvailable,
    queue: confirmAliasGone,
    staged,
    work: () => {},
    requeue: () => confirmAliasesGone(db),
    check: async () => {
      await findDestination(db, '');
      return { provider, ok: true, findings: [] };
    },
    list: async () => (await listForwarding(db)).map(staged),
    sync: async () => {
      await confirmAliasesGone(db);
      const names = (await listForwarding(db)).length;
      return { provider, names, repaired: [], waiting: [], strangers: [], pruned: [] };
    },
    tidy: async () => {},
  };
}

/** Status that equals the wanted state, if anybody forwards. */
function asWanted(isAvailable: boolean, state: ForwardingState): NameState {
  const row = {
    ...state,
    known: isAvailable ? state.wanted : null,
    settled: true,
    attempts: 0,
    last_error: null,
    next_try_at: null,
    uncertain_until: null,
  };
  const staged = withStage(row);
  const isAsked = state.wanted !== null || state.unconfirmed;
  return !isAvailable && isAsked ? { ...staged, stage: 'nobody forwards' } : staged;
}
