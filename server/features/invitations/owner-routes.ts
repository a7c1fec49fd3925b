import type { invitations } from '#contract/owner/invitations.ts';
import type { memberLists } from '#contract/owner/member-lists.ts';
import type { operatorInvitations } from '#contract/owner/operator-invitations.ts';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  countInvitations,
  deleteInvitation,
  findInvitationState,
  findInviterName,
  findOpenInvitation,
  type InvitationRow,
  listInvitations,
} from '#db/queries/invitations.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { paginate } from '#server/platform/paginate.ts';
import { hashToken, isToken, tokenOf } from '#server/platform/secrets/token.ts';
import type { NameServices } from '../names/change-display-name.ts';
import { createLoginResponse } from '../sessions/session-response.ts';
import type { SignUpService } from '../sign-up/sign-up-service.ts';
import { checkInvitations } from './check-invitations.ts';
import { previewInvitation } from './invitation-mail.ts';
import { acceptInvitation, createInvitationLink } from './invitation.ts';
import { formatInvitationLinksCsv } from './links-csv.ts';
import type { MemberColumn } from './member-columns.ts';
import { updateInvitation, createInvitations, sendInvitations } from './member-invitations.ts';

type InvitationServices = Core & NameServices & { signUp: SignUpService };

export function invitationsRoutes(app: InvitationServices): Handlers<typeof invitations> {
  const { sessionCookie, readDb, signUp } = app;
  return {
    getInvitation: async ({ body: { invitation_url: url }, refuse }) => {
      if (signUp.isClosed) throw refuse('registrationClosed');
      const token = tokenOf(url);
      if (!isToken(token)) throw refuse('invitationInvalid');
      const tokenHash = hashToken(token);
      const invitation = await findOpenInvitation(readDb, tokenHash);
      if (!invitation) {
        const state = await findInvitationState(readDb, tokenHash);
        if (state === 'expired') throw refuse('invitationExpired');
        throw refuse(state === 'accepted' ? 'invitationUsed' : 'invitationInvalid');
      }
      const { is_mailed: mailed, forward_to: forward_to_email, ...fields } = invitation;
      return { ...fields, forward_to_email, mailed };
    },

    acceptInvitation: async ({ db, loginClient, body, refuse }) => {
      if (signUp.isClosed) throw refuse('registrationClosed');
      const { invitation_url: url, display_name: displayName = null } = body;
      const token = tokenOf(url);
      const newSession = await acceptInvitation(db, app, { token, displayName }, loginClient);
      return createLoginResponse(newSession, sessionCookie);
    },
  };
}

export function operatorInvitationsRoutes(
  app: InvitationServices,
): Handlers<typeof operatorInvitations & typeof memberLists> {
  const isClosed = app.config.REGISTRATION === 'closed';
  return {
    ...memberListRoutes(app),

    listInvitations: async ({ readDb, query, refuse }) => {
      const { limit, after, state, search, batch_id: batchId, group_id: groupId } = query;
      if (after !== undefined && !(await hasRow(readDb, 'invitations', after)))
        throw refuse('cursorInvalid');
      const [rows, totals] = await Promise.all([
        listInvitations(readDb, { limit: limit + 1, after, state, search, batchId, groupId }),
        countInvitations(readDb, {
          batchId,
          groupId,
          resentState: state === 'failed' || state === 'expired' ? state : 'sent',
        }),
      ]);
      const { entries, next } = paginate(rows, limit, serializeInvitation);
      return { invitations: entries, ...totals, next };
    },

    createInvitationLink: async ({ db, body, refuse, audit }) => {
      const { days, expires_at, max_uses: maxUses, note = null } = body;
      if (isClosed) throw refuse('registrationClosed');
      const expiresAt = new Date(expires_at ?? Date.now() + days * DAY_MS);
      const daysLeft = (expiresAt.getTime() - Date.now()) / DAY_MS;
      if (!(daysLeft > 0 && daysLeft <= LIMITS.invitationDays)) throw refuse('expiresAtInvalid');
      const expiryDetail = expires_at ? { expires_at } : { days };
      const usesDetail = maxUses > 1 ? { max_uses: maxUses } : {};
      audit({ detail: { ...expiryDetail, ...usesDetail, ...(note !== null && { note }) } });
      const options = { expiresAt, note, maxUses };
      const { invitation_url, ...created } = await createInvitationLink(db, app.origin(), options);
      return { invitation: serializeInvitation(created), invitation_url };
    },

    sendInvitations: async ({ db, body, refuse, audit }) => {
      if (isClosed) throw refuse('registrationClosed');
      const { invitation_ids: ids = null, state = null } = body;
      const { batch_id: batchId = null, group_id: groupId = null } = body;
      if ((ids === null) === (state === null) || (ids && (batchId ?? groupId)))
        throw refuse('invitationSelectionInvalid');
      const selection = ids === null ? { state: state!, batchId, groupId } : { ids };
      const response = await sendInvitations(db, app, selection);
      audit(response.resent === 0 ? 'unchanged' : { detail: { invitations: response.resent } });
      return response;
    },

    updateInvitation: async ({ db, body, refuse, audit }) => {
      if (isClosed) throw refuse('registrationClosed');
      const { invitation_id: id, email } = body;
      const name = await updateInvitation(db, app, { id, email });
      audit({ detail: { invitation: id, note: name } });
      return sendInvitations(db, app, { ids: [id] });
    },

    revokeInvitation: async ({ db, body: { invitation_id: invitation }, refuse, audit }) => {
      const deleted = await deleteInvitation(db, invitation);
      if (!deleted) throw refuse('invitationNotFound');
      audit({ detail: { invitation, note: deleted.name ?? deleted.note } });
    },
  };
}

function memberListRoutes(app: InvitationServices): Handlers<typeof memberLists> {
  return {
    checkInvitations: async ({ readDb, body, getTranslator }) => {
      const { readMemberCsv } = await import('./read-member-csv.ts');
      const { columns, rows } = await readMemberCsv(body);
      const members = await checkInvitations(readDb, app, getTranslator(), rows);
      const isOff = (field: MemberColumn | null) =>
        field === 'groups' && app.config.FEATURES_OFF.includes('groups');
      return {
        columns: columns.map((column) =>
          isOff(column.field) ? { ...column, field: null } : column,
        ),
        members,
      };
    },

    previewInvitation: async ({ accountId, readDb, body }) => {
      const { name = null, email, display_name = null, days, sentence = null } = body;
      const language = body.language ?? (await findAccountLanguage(readDb, accountId));
      const inviter = await findInviterName(readDb, accountId);
      const expires_at = new Date(Date.now() + days * DAY_MS);
      const texts = { name, display_name, inviter, sentence };
      const facts = { ...texts, email, expires_at, is_reminder: false };
      return previewInvitation(readDb, app, facts, language);
    },

    createInvitations: async ({ accountId, db, body, refuse, getTranslator, audit }) => {
      const { days, mail: sendsMail, sentence = null } = body;
      if (app.config.REGISTRATION === 'closed') throw refuse('registrationClosed');
      const { readMemberCsv } = await import('./read-member-csv.ts');
      const { rows } = await readMemberCsv(body);
      const language = body.language ?? (await findAccountLanguage(db, accountId));
      const inviter = await findInviterName(db, accountId);
      const list = { rows, days, sendsMail, mail: { language, inviter, sentence } };
      const result = await createInvitations(db, app, getTranslator(), list);
      const { batchId, invited, skipped, links } = result;
      audit(
        invited === 0
          ? 'unchanged'
          : { detail: { batch: batchId, invitations: invited, days, mail: sendsMail } },
      );
      const links_csv = links && formatInvitationLinksCsv(links);
      return { batch_id: batchId, invited, skipped, links_csv };
    },
  };
}

function serializeInvitation({ forward_to: forward_to_email, ...invitation }: InvitationRow) {
  return { ...serializeTimes(invitation), forward_to_email };
}
