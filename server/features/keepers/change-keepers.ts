import {
  KEEPER_NAME_REFUSALS,
  type keepers,
  LAST_KEEPER_REFUSALS,
} from '#contract/owner/keepers.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { lockAccount, lockAccounts } from '#db/queries/accounts.ts';
import { listWaitingConnections } from '#db/queries/connections.ts';
import { failPending } from '#db/queries/deliveries.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import {
  type Acting,
  deleteGrantsOf,
  deleteKeeper,
  deleteKeeperInvitation,
  deleteOwnLogins,
  findAbandoned,
  findPossibleKeeper,
  handOn,
  insertKeepers,
  isManager,
  listKeptIds,
  lockKeeper,
  type MadeBy,
  passOnOwnership,
  revokeKeysOf,
  setOwner,
  switchOffConnectionsOf,
} from '#db/queries/keepers.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { isOperator } from '#db/queries/operators.ts';
import { deleteSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import { createRefuser, type Refuse } from '#server/platform/refusal.ts';
import type { AllFeatures } from '../define-feature.ts';
import { queueDeliveries } from '../events/delivery-queue.ts';
import { type EventApp, logEvent, storeEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { namedKeeperMail } from './named-mail.ts';

type Refusing<Name extends keyof typeof keepers> = Refuse<
  (typeof keepers)[Name]['metadata']['refusals']
>;

interface Change extends Acting {
  keeperId: string;
  /** For the event. */
  by: string;
}

const refuseLast = createRefuser(LAST_KEEPER_REFUSALS);
const refuseName = createRefuser(KEEPER_NAME_REFUSALS);

/**
 * Decides every change after which fewer people can sign in: leave, remove, suspend, resume and
 * delete. Refuses if nobody is left for the account, or for one that it keeps. The caller holds
 * their locks (see `lockWithKept`).
 */
export async function requireNoneAbandoned(
  trx: Transaction,
  accountId: string,
  options?: { evenSuspended?: boolean },
): Promise<void> {
  const abandoned = await findAbandoned(trx, accountId, options);
  if (!abandoned) return;
  const { id, name } = abandoned;
  throw refuseLast('lastKeeper', { account: name === null ? id : `@${name}` });
}

export const readMemberName = (input: string) => input.trim().replace(/^@/, '').toLowerCase();

/** Members whom an operator names for a new account. The first one owns it. */
export async function nameKeepers(
  trx: Transaction,
  app: Pick<EventApp, 'allowances'> & Pick<Core, 'outbox'>,
  { accountId, inputs, by }: { accountId: string; inputs: readonly string[]; by: string },
): Promise<void> {
  const names = [...new Set(inputs.map(readMemberName))];
  const found: (string | undefined)[] = [];
  for (const name of names) found.push(await findPossibleKeeper(trx, name));
  const ids = found.filter((id) => id !== undefined);
  await lockAccounts(trx, ids);
  const added = await insertKeepers(trx, accountId, ids);
  const missing = found.findIndex((id) => id === undefined || !added.includes(id));
  if (missing !== -1) throw refuseName('memberNotFound', { name: names[missing]! });
  for (const keeperId of ids)
    await storeChange(trx, app, 'keeper_joined', { accountId, keeperId, by });
  await app.outbox.mailOwner(trx, namedKeeperMail, { accountId });
}

export async function removeKeeper(
  trx: Transaction,
  app: EventApp,
  { handTo, ...change }: Change & { handTo: string | undefined },
  refuse: Refusing<'removeKeeper'>,
): Promise<void> {
  const { accountId, actorId, keeperId } = change;
  await lockAccount(trx, accountId);
  const isAllowed = await isManager(trx, change);
  // Who leaves still knows the secrets, so only the owner decides that they stay valid.
  if (!isAllowed && (keeperId !== actorId || handTo !== undefined)) throw refuse('keeperForbidden');
  if (handTo !== undefined && !(await mayGetKeys(trx, { ...change, handTo })))
    throw refuse('keeperNotFound');
  if (await deleteKeeperInvitation(trx, change)) return;
  if (await isManager(trx, { accountId, actorId: keeperId })) throw refuse('ownerCannotLeave');
  if (handTo === undefined) await endMade(trx, app, change);
  else {
    await endApps(trx, app, change);
    await handOn(trx, change, handTo);
    // They wait if the keeper was suspended.
    await queueDeliveries(trx, app.jobs, await listWaitingConnections(trx, accountId));
  }
  // Last, because a save of the keeper holds its other locks until it ends.
  if (!(await deleteKeeper(trx, change))) throw refuse('keeperNotFound');
  await requireNoneAbandoned(trx, accountId);
  await storeChange(trx, app, 'keeper_left', change);
}

/** Another keeper, or the account itself if it has a login of its own. */
async function mayGetKeys(
  trx: Transaction,
  { accountId, keeperId, handTo }: MadeBy & { handTo: string },
): Promise<boolean> {
  if (handTo === keeperId) return false;
  if (handTo === accountId) return isManager(trx, { accountId, actorId: accountId });
  return (await lockKeeper(trx, { accountId, actorId: handTo })) !== undefined;
}

async function endMade(
  trx: Transaction,
  app: EventApp,
  { accountId, by, ...made }: MadeBy & { by: string },
): Promise<void> {
  await endApps(trx, app, { accountId, by, ...made });
  for (const { id, label } of await revokeKeysOf(trx, { accountId, ...made })) {
    const detail = { key_id: id, label, by };
    await logEvent(trx, app, { accountId, type: 'key_revoked', detail });
  }
  for (const id of await switchOffConnectionsOf(trx, { accountId, ...made }))
    await failPending(trx, id, 'connectionOff');
}

/** Apps cannot be handed over, because their tokens belong to the person who signed in. */
async function endApps(
  trx: Transaction,
  app: EventApp,
  { accountId, keeperId, by }: MadeBy & { by: string },
): Promise<void> {
  for (const name of await deleteGrantsOf(trx, { accountId, keeperId }))
    await storeEvent(trx, app, {
      accountId,
      type: 'app_disconnected',
      detail: { app: name, by },
    });
}

export async function transferAccount(
  trx: Transaction,
  app: EventApp & Pick<Core, 'outbox'> & { react: React },
  change: Change,
  refuse: Refusing<'transferAccount'>,
): Promise<void> {
  const { accountId, keeperId } = change;
  const locked = await lockAccounts(trx, [accountId, keeperId]);
  if (!(await isManager(trx, change))) throw refuse('transferForbidden');
  const isUsable =
    locked.has(keeperId) && (await lockKeeper(trx, { accountId, actorId: keeperId }));
  if (!isUsable) throw refuse('keeperNotFound');
  const isOwn = change.actorId === accountId;
  if (
    isOwn &&
    ((await isOperator(trx, accountId)) || (await listKeptIds(trx, accountId)).length > 0)
  )
    throw refuse('accountNotTransferable');
  if (!(await setOwner(trx, change))) throw refuse('keeperNotFound');
  if (isOwn) await endOwnLogin(trx, app, change);
  await storeChange(trx, app, 'account_transferred', change);
  const owner = (await findDisplayName(trx, keeperId)) ?? keeperId;
  await app.outbox.mailOwner(trx, namedKeeperMail, { accountId, owner });
}

/** From now on, only keepers open the account. */
async function endOwnLogin(
  trx: Transaction,
  app: EventApp & { react: React },
  { accountId, by }: Change,
): Promise<void> {
  await endMade(trx, app, { accountId, keeperId: accountId, by });
  await deleteLoginLinks(trx, accountId);
  await deleteSessions(trx, accountId);
  await deleteOwnLogins(trx, accountId);
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
}

/**
 * The account is closed, so it leaves all that it keeps, and others become their owners. While the
 * feature is off, nobody could hand an account over, so the last keeper may leave: the account then
 * has a login of its own again, to which an operator can make a link.
 */
export async function leaveAll(
  trx: Transaction,
  app: EventApp & { features: Pick<AllFeatures, 'off'> },
  keeperId: string,
): Promise<void> {
  const kept = await listKeptIds(trx, keeperId);
  if (kept.length === 0) return;
  await lockAccounts(trx, kept);
  if (!app.features.off.includes('keepers'))
    await requireNoneAbandoned(trx, keeperId, { evenSuspended: true });
  await passOnOwnership(trx, keeperId);
  const name = await findDisplayName(trx, keeperId);
  const by = name === undefined ? keeperId : `@${name}`;
  for (const accountId of kept) {
    const change = { accountId, actorId: keeperId, keeperId, by };
    await endMade(trx, app, change);
    await deleteKeeper(trx, change);
    await storeChange(trx, app, 'keeper_left', change);
  }
}

export async function storeChange(
  trx: Transaction,
  app: Pick<EventApp, 'allowances'>,
  type: 'keeper_invited' | 'keeper_joined' | 'keeper_left' | 'account_transferred',
  { accountId, keeperId, by }: Pick<Change, 'accountId' | 'keeperId' | 'by'>,
): Promise<void> {
  const display_name = (await findDisplayName(trx, keeperId)) ?? null;
  const detail = { account_id: keeperId, display_name, by };
  await storeEvent(trx, app, { accountId, type, detail });
}
