import type { accounts, keepers } from '#contract/owner/keepers.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import {
  countKeepers,
  findKeeperInvitation,
  findPossibleKeeper,
  insertKeeperInvitation,
  isManager,
  listKeeperInvitations,
  listKeepers,
  listKeptAccounts,
  listReceivedInvitations,
  useInvitation,
} from '#db/queries/keepers.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { accountName } from '#server/platform/mail/mail-text.ts';
import { hashToken, tokenOf } from '#server/platform/secrets/token.ts';
import type { React } from '../facts.ts';
import { readMemberName, removeKeeper, storeChange, transferAccount } from './change-keepers.ts';
import { keeperInvitationMail } from './invitation-mail.ts';

export const keptAccountRoutes: Handlers<typeof accounts> = {
  listAccounts: async ({ accountId, actorId, credential, readDb }) => {
    // A key acts for its account only, whoever made it.
    const id = credential.kind === 'session' ? actorId : accountId;
    const invitations = await listReceivedInvitations(readDb, { keeperId: id });
    return {
      accounts: await listKeptAccounts(readDb, id),
      invitations: invitations.map(({ id: invitationId, expires_at, account, invited_by }) =>
        serializeTimes({ id: invitationId, expires_at, account, invited_by }),
      ),
    };
  },
};

export function keeperRoutes(app: Core & { react: React }): Handlers<typeof keepers> {
  return {
    listKeepers: async ({ accountId, actorId, readDb }) => {
      const isOwner = await isManager(readDb, { accountId, actorId });
      const invitations = isOwner ? await listKeeperInvitations(readDb, accountId) : [];
      return {
        keepers: (await listKeepers(readDb, accountId)).map((row) => serializeTimes(row)),
        invitations: invitations.map((row) => serializeTimes(row)),
      };
    },

    inviteKeeper: async ({ accountId, actorId, credential, db, body, refuse }) => {
      const name = readMemberName(body.display_name);
      const keeperId = await findPossibleKeeper(db, name);
      if (keeperId === undefined || keeperId === accountId)
        throw refuse('memberNotFound', { name });
      const locked = await lockAccounts(db, [accountId, keeperId]);
      if (!locked.has(keeperId)) throw refuse('memberNotFound', { name });
      const keeps = await listKeepers(db, accountId);
      if (keeps.some(({ account_id }) => account_id === keeperId))
        throw refuse('alreadyKeeper', { name });
      const waiting = await listKeeperInvitations(db, accountId);
      const isRepeated = waiting.some(({ account_id }) => account_id === keeperId);
      if (!isRepeated && (await countKeepers(db, accountId)) >= LIMITS.keepers)
        throw refuse('keeperLimitReached', { limit: LIMITS.keepers });
      const change = { accountId, actorId, keeperId };
      const id = await insertKeeperInvitation(db, change);
      if (id === undefined) throw refuse('memberNotFound', { name });
      await storeChange(db, app, 'keeper_invited', { ...change, by: credentialId(credential) });
      await app.outbox.mailOwner(db, keeperInvitationMail, {
        accountId: keeperId,
        invitationId: id,
        account: await nameOf(db, accountId),
        by: await nameOf(db, actorId),
      });
      const invitations = await listKeeperInvitations(db, accountId);
      return { invitation: serializeTimes(invitations.find((row) => row.id === id)!) };
    },

    getKeeperInvitation: async ({ db, body, refuse }) => {
      const tokenHash = hashToken(tokenOf(body.invitation_url));
      const [found] = await listReceivedInvitations(db, { tokenHash });
      if (!found) throw refuse('invitationNotFound');
      const { keeper, ...invitation } = found;
      return { invitation: serializeTimes(invitation), keeper };
    },

    acceptKeeperInvitation: async ({ accountId: keeperId, db, body, refuse }) => {
      const { invitation_id: id, accept } = body;
      const accountId = await findKeeperInvitation(db, { id, keeperId });
      if (accountId === undefined) throw refuse('invitationNotFound');
      const locked = await lockAccounts(db, [accountId, keeperId]);
      if (!locked.has(accountId) || !(await useInvitation(db, { id, keeperId, accept })))
        throw refuse('invitationNotFound');
      if (!accept) return;
      const by = accountName(await nameOf(db, keeperId));
      await storeChange(db, app, 'keeper_joined', { accountId, keeperId, by });
    },

    removeKeeper: async ({ accountId, actorId, credential, db, body, refuse }) => {
      const change = { accountId, actorId, keeperId: body.account_id.toLowerCase() };
      const by = credentialId(credential);
      await removeKeeper(db, app, { ...change, by, handTo: body.hand_to?.toLowerCase() }, refuse);
    },

    transferAccount: async ({ accountId, actorId, credential, db, body, refuse }) => {
      const change = { accountId, actorId, keeperId: body.account_id.toLowerCase() };
      await transferAccount(db, app, { ...change, by: credentialId(credential) }, refuse);
    },
  };
}

/** The id of an account without a name. */
async function nameOf(db: ReadDatabase, accountId: string): Promise<string> {
  return (await findDisplayName(db, accountId)) ?? accountId;
}
