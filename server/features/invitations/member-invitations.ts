import { randomUUID } from 'node:crypto';
import { REGISTRATION_CLOSED_REFUSALS } from '#contract/owner/invitations.ts';
import { INVITATION_EMAIL_REFUSALS } from '#contract/owner/operator-invitations.ts';
import { MAIL_REFUSALS } from '#contract/owner/sessions.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { Transaction } from '#db/connections/handles.ts';
import {
  type InvitationMail,
  type InvitationSelection,
  insertMemberInvitations,
  listAddressHolders,
  renewInvitations,
  setInvitationEmail,
  setLinkToken,
} from '#db/queries/invitations.ts';
import { isDuplicate } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';
import type { Translator } from '#translations/translator.ts';
import type { NameRules } from '../names/reserved-names.ts';
import { requireAllowedEmailDomain } from '../sign-up/sign-up-mail.ts';
import { checkInvitations, type CheckedMember, isSamePerson } from './check-invitations.ts';
import { invitationLink } from './invitation-link.ts';
import { invitationMail } from './invitation-mail.ts';
import { formatInvitationLinksCsv, type InvitedMember } from './links-csv.ts';
import type { MemberRow } from './read-member-csv.ts';

const refuse = createRefuser({ ...MAIL_REFUSALS, ...REGISTRATION_CLOSED_REFUSALS });
const refuseUpdate = createRefuser(INVITATION_EMAIL_REFUSALS);

const RESENT_DAYS = 14;

interface InviteResult {
  batchId: string | null;
  invited: number;
  skipped: CheckedMember[];
  /** Null if the invitations are mailed. */
  links: InvitedMember[] | null;
}

export interface MemberList {
  rows: readonly MemberRow[];
  days: number;
  sendsMail: boolean;
  mail: InvitationMail & { language: Language };
}

/** Invites the people on lines without a problem. */
export async function createInvitations(
  trx: Transaction,
  app: Pick<Core, 'config' | 'origin' | 'outbox'> & { names: NameRules },
  t: Translator,
  { rows, days, sendsMail, mail }: MemberList,
): Promise<InviteResult> {
  const { outbox } = app;
  const publicUrl = sendsMail ? '' : app.origin();
  if (sendsMail && !outbox.isAvailable) throw refuse('mailUnavailable');
  const checked = await checkInvitations(trx, app, t, rows);
  const members = checked.flatMap(({ state, name, email, display_name, forward_to_email }) => {
    if (state !== 'ready' || email === null) return [];
    const token = sendsMail ? null : createToken();
    const token_hash = token === null ? null : hashToken(token);
    return [{ name, email, display_name, forward_to_email, token, token_hash }];
  });
  const batchId = randomUUID();
  const inserted = await insertMemberInvitations(trx, members, { batchId, days, mail });
  const hashes = new Set(inserted.map(({ token_hash }) => token_hash?.toString('hex')));
  if (sendsMail)
    await outbox.enqueueAll(
      trx,
      invitationMail,
      inserted.map(({ id }) => ({ invitationId: id, language: mail.language })),
    );
  return {
    batchId: inserted.length > 0 ? batchId : null,
    invited: inserted.length,
    skipped: checked.filter(({ state }) => state !== 'ready'),
    links: sendsMail
      ? null
      : members
          .filter(({ token_hash }) => hashes.has(token_hash?.toString('hex')))
          .map(({ token, name, email, display_name }) => ({
            name,
            email,
            display_name,
            invitation_url: invitationLink(publicUrl, token!),
          })),
  };
}

/** Mails new links, or returns them if the server sends no mail. */
export async function sendInvitations(
  trx: Transaction,
  { origin, outbox }: Pick<Core, 'origin' | 'outbox'>,
  selection: InvitationSelection,
): Promise<{ resent: number; links_csv: string | null }> {
  const isMailed = outbox.isAvailable;
  const renewed = await renewInvitations(trx, selection, { days: RESENT_DAYS, isMailed });
  if (isMailed) {
    await outbox.enqueueAll(
      trx,
      invitationMail,
      renewed.map(({ id, language }) => ({ invitationId: id, language: language ?? 'en' })),
    );
    return { resent: renewed.length, links_csv: null };
  }
  const publicUrl = origin();
  const links: InvitedMember[] = [];
  for (const { id, name, email, display_name } of renewed) {
    const token = createToken();
    await setLinkToken(trx, id, hashToken(token));
    links.push({ name, email, display_name, invitation_url: invitationLink(publicUrl, token) });
  }
  return { resent: renewed.length, links_csv: formatInvitationLinksCsv(links) };
}

/** Changes the address of an invitation that has not been accepted. Returns the invited name. */
export async function updateInvitation(
  trx: Transaction,
  { config, names: { isReserved } }: Pick<Core, 'config'> & { names: NameRules },
  { id, email }: { id: string; email: string },
): Promise<string | null> {
  requireAllowedEmailDomain(email, config);
  const others = (await listAddressHolders(trx, [email])).filter((holder) => holder.id !== id);
  try {
    const corrected = await setInvitationEmail(trx, id, email);
    if (!corrected) throw refuseUpdate('invitationNotFound');
    const same = others.find((other) => isSamePerson(corrected, other, isReserved));
    if (same) throw refuseUpdate(same.state === 'member' ? 'emailHasAccount' : 'emailInvited');
    return corrected.name;
  } catch (error) {
    throw isDuplicate(error) ? refuseUpdate('emailInvited') : error;
  }
}
