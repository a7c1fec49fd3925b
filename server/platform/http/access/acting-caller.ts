import type { IncomingHttpHeaders } from 'node:http';
import type { RouteMetadata } from '#contract/define-endpoints.ts';
import { KEEPER_REFUSALS, OWNER_ONLY_REFUSALS } from '#contract/request-refusals.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { Executor } from '#db/connections/handles.ts';
import { findKeeper, lockKeeper } from '#db/queries/keepers.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser({ ...KEEPER_REFUSALS, ...OWNER_ONLY_REFUSALS });

/** For commands, which operators use to rescue an account, also while its owner is suspended. */
const OWNER = { is_owner: true };

type ActorRule = Pick<RouteMetadata, 'actor'> | undefined;

/**
 * A session acts for the account of the header `Nameplate-Account`, if its person keeps that. The
 * header of a key may only repeat its account. Never falls back to the person's own account.
 */
export async function findActingCaller(
  { config, readDb }: Pick<Core, 'config' | 'readDb'>,
  headers: IncomingHttpHeaders,
  caller: Caller,
  route: ActorRule,
): Promise<Caller> {
  const { actorId, credential } = caller;
  const header = headers['nameplate-account'];
  const accountId = header === undefined ? caller.accountId : String(header).toLowerCase();
  const isOther = accountId !== caller.accountId;
  if (isOther && (credential.kind !== 'session' || !UUID_PATTERN.test(accountId)))
    throw refuse('accountNotKept');
  if (accountId === actorId) return caller;
  if (credential.kind === 'command') {
    requireRight(OWNER, route);
    return caller;
  }
  const keeper = config.FEATURES_OFF.includes('keepers')
    ? undefined
    : await findKeeper(readDb, { accountId, actorId });
  requireRight(keeper, route);
  if (credential.kind === 'key') return caller;
  const by = keeper?.name ? `@${keeper.name}` : actorId;
  if (credential.kind === 'grant') return { ...caller, credential: { ...credential, keeper: by } };
  return { ...caller, accountId, scope: 'all', credential: { ...credential, keeper: by } };
}

/** Looks again in the transaction of the request, so that a keeper who was removed changes nothing. */
export async function recheckKeeper(
  db: Executor,
  { accountId, actorId, credential }: Caller,
  route: ActorRule,
): Promise<void> {
  if (actorId === accountId || route?.actor === 'handler' || credential.kind === 'command') return;
  requireRight(await lockKeeper(db, { accountId, actorId }), route);
}

function requireRight(keeper: { is_owner: boolean } | undefined, route: ActorRule): void {
  if (!keeper) throw refuse('accountNotKept');
  if (route?.actor === 'self' || (route?.actor === 'owner' && !keeper.is_owner))
    throw refuse('ownerOnly');
}
