import { z } from 'zod';
import type { Language } from '#contract/shared/languages.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findInstance, type InstanceRow } from '#db/queries/instance.ts';
import {
  type InvitationFacts,
  recordInvitationMail,
  setInvitationToken,
} from '#db/queries/invitations.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import type { Core } from '#server/core.ts';
import { defineMail, MailData } from '#server/platform/mail/define-mail.ts';
import { describeSharedAddress, formatDate, plateFor } from '#server/platform/mail/mail-text.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { describeDirectory } from '../instance/describe-directory.ts';
import { invitationLink } from './invitation-link.ts';

export const invitationMail = defineMail({
  kind: 'invitation',
  schema: MailData.extend({ invitationId: z.string() }),
  priority: -2,
  load: async (trx, { invitationId, language }, sending) => {
    const invitation = await setInvitationToken(trx, invitationId, sending.tokenHash);
    return invitation && loadContent(trx, invitation, { ...sending, language });
  },
  write: ({ suggestedName, forwardsMail, sharedWith, link, directory, ...invitation }, context) => {
    const { server, publicUrl, t } = context;
    const { name, sentence, expires_at: expiresAt } = invitation;
    const inviter = shortenText(invitation.inviter ?? '', 100);
    const { host } = new URL(publicUrl);
    const plate = plateFor(suggestedName);
    const where = server === host ? host : `${server} (${host})`;
    const subject = !inviter
      ? t('Your invitation to {server}', { server })
      : plate
        ? t('{inviter} invites you to {server} as {name}', { inviter, server, name: plate })
        : t('{inviter} invites you to {server}', { inviter, server });
    return {
      subject: invitation.is_reminder ? t('Reminder: {subject}', { subject }) : subject,
      isWelcome: true,
      plate,
      intro: [
        name === null ? t('Hello,') : t('Hello {name},', { name: shortenText(name, 100) }),
        forwardsMail
          ? t(
              'At {server} you get a name, a page and a mail address of your own. It takes about two minutes, and there is no password.',
              { server: where },
            )
          : t(
              'At {server} you get a name and a page of your own. It takes about two minutes, and there is no password.',
              { server: where },
            ),
        ...(sentence === null ? [] : [`${QUOTE_PREFIX}${sentence}${inviter && `\n${inviter}`}`]),
      ],
      hasOneTimeLink: true,
      action: { label: plate ? t('Claim {name}', { name: plate }) : t('Choose your name'), link },
      note: [
        ...(plate ? [t('You can also choose another name than {name}.', { name: plate })] : []),
        t('The link works until {date}.', { date: formatDate(expiresAt, t) }),
      ].join(' '),
      outro: [
        ...directory,
        ...describeSharedAddress(sharedWith, t),
        t('Not interested? Ignore this mail. No account will be created.'),
      ],
      footer: t('Sent by {server} because an operator there invited this address.', { server }),
    };
  },
  // Operators watch how their invitations are sent.
  attempted: (db, { invitationId: id }, { tokenHash, failure }) =>
    recordInvitationMail(db, { id, tokenHash }, failure),
});

async function loadContent(
  db: ReadDatabase,
  { email: address, display_name: suggestedName, ...invitation }: InvitationFacts,
  sending: {
    config: Config;
    instance: InstanceRow;
    publicUrl: string;
    language: Language;
    token: string;
  },
) {
  return {
    ...invitation,
    address,
    suggestedName,
    forwardsMail: sending.config.EMAIL_FORWARDING_PROVIDER !== 'none',
    /** Accounts that have the address, too. */
    sharedWith: await listAccountsByAddress(db, address),
    directory: describeDirectory(sending, sending.language),
    link: invitationLink(sending.publicUrl, sending.token),
  };
}

/** Returns the texts of the mail, without its link. */
export async function previewInvitation(
  db: ReadDatabase,
  { config, origin }: Pick<Core, 'config' | 'origin'>,
  facts: InvitationFacts,
  language: Language,
) {
  const publicUrl = origin();
  const instance = await findInstance(db);
  const sending = { config, instance, publicUrl, language, token: '' };
  const content = await loadContent(db, facts, sending);
  const options = { publicUrl, instance, t: translatorFor(language) };
  const { subject, intro, action, note, outro, footer } = writeMail(
    invitationMail,
    content,
    options,
  );
  const texts = {
    intro: [...intro],
    button: action!.label,
    outro: [note!, ...outro!],
    footer: footer!,
  };
  return { subject, ...texts };
}
