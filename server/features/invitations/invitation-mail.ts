import { z } from 'zod';
import type { Language } from '#contract/shared/languages.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findInstance } from '#db/queries/instance.ts';
import {
  type InvitationFacts,
  recordInvitationMail,
  setInvitationToken,
} from '#db/queries/invitations.ts';
import { listAccountsByAddress } from '#db/queries/owner-mails.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { Core } from '#server/core.ts';
import { defineMail, MailData } from '#server/platform/mail/define-mail.ts';
import {
  describeSharedAddress,
  plateFor,
  preventAutoLinks,
} from '#server/platform/mail/mail-text.ts';
import { writeMail } from '#server/platform/mail/write-mail.ts';
import { invitationLink } from './invitation-link.ts';

export const invitationMail = defineMail({
  kind: 'invitation',
  schema: MailData.extend({ invitationId: z.string() }),
  priority: -2,
  load: async (trx, { invitationId }, { config, publicUrl, token, tokenHash }) => {
    const invitation = await setInvitationToken(trx, invitationId, tokenHash);
    return invitation && loadContent(trx, config, invitation, invitationLink(publicUrl, token));
  },
  write: ({ suggestedName, forwardsMail, sharedWith, link, ...invitation }, context) => {
    const { server, publicUrl, t } = context;
    const { name, sentence, expires_at: expiresAt } = invitation;
    const inviter = preventAutoLinks(invitation.inviter ?? '', 100);
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
        name === null ? t('Hello,') : t('Hello {name},', { name: preventAutoLinks(name, 100) }),
        forwardsMail
          ? t(
              'At {server} you get a name, a page and a mail address of your own. It takes about two minutes, and there is no password.',
              { server: where },
            )
          : t(
              'At {server} you get a name and a page of your own. It takes about two minutes, and there is no password.',
              { server: where },
            ),
        ...(sentence === null ? [] : [`${QUOTE_PREFIX}${sentence}`]),
      ],
      hasOneTimeLink: true,
      action: { label: plate ? t('Claim {name}', { name: plate }) : t('Choose your name'), link },
      note: [
        ...(plate ? [t('You can also choose another name than {name}.', { name: plate })] : []),
        t('The link works until {date}.', {
          date: expiresAt.toLocaleDateString(t.locale === 'en' ? 'en-GB' : t.locale, {
            dateStyle: 'long',
            timeZone: 'UTC',
          }),
        }),
      ].join(' '),
      outro: [
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
  { EMAIL_FORWARDING_PROVIDER }: Pick<Config, 'EMAIL_FORWARDING_PROVIDER'>,
  { email: address, display_name: suggestedName, ...invitation }: InvitationFacts,
  link: string,
) {
  return {
    ...invitation,
    address,
    suggestedName,
    forwardsMail: EMAIL_FORWARDING_PROVIDER !== 'none',
    /** Accounts that have the address, too. */
    sharedWith: await listAccountsByAddress(db, address),
    link,
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
  const content = await loadContent(db, config, facts, invitationLink(publicUrl, ''));
  const options = { publicUrl, instance: await findInstance(db), t: translatorFor(language) };
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
