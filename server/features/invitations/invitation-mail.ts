import type { Language } from '#contract/shared/languages.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findInstance } from '#db/queries/instance.ts';
import type { InvitationFacts } from '#db/queries/invitations.ts';
import { type AddressAccount, listAccountsByAddress } from '#db/queries/owner-mails.ts';
import type { MailContent } from '#server/platform/mail/compose-mail.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { writeMail } from '../mails/templates.ts';
import { invitationLink } from './invitation.ts';
import type { Core } from '#server/core.ts';

export function writeInvitationMail(
  { display_name: suggestedName, name, inviter, sentence, ...facts }: InvitationFacts,
  {
    config,
    instanceName,
    sharedWith,
    link,
    t,
  }: {
    config: Pick<Config, 'EMAIL_FORWARDING_PROVIDER'>;
    instanceName: string | null;
    sharedWith: readonly AddressAccount[];
    link: string;
    t: Translator;
  },
): MailContent {
  const forwardsMail = config.EMAIL_FORWARDING_PROVIDER !== 'none';
  const { email: address, expires_at: expiresAt, is_reminder: isReminder } = facts;
  return writeMail(
    {
      kind: 'invitation',
      address,
      name,
      suggestedName,
      inviter,
      sentence,
      expiresAt,
      isReminder,
      forwardsMail,
      sharedWith,
    },
    { link, instanceName, t },
  );
}

/** Returns the texts of the mail, without its link. */
export async function previewInvitation(
  db: ReadDatabase,
  { config, origin }: Pick<Core, 'config' | 'origin'>,
  facts: InvitationFacts,
  language: Language,
) {
  const { name: instanceName } = await findInstance(db);
  const link = invitationLink(origin(), '');
  const sharedWith = await listAccountsByAddress(db, facts.email);
  const options = { config, instanceName, sharedWith, link, t: translatorFor(language) };
  const { subject, intro, action, note, outro, footer } = writeInvitationMail(facts, options);
  const texts = {
    intro: [...intro],
    button: action!.label,
    outro: [note!, ...outro!],
    footer: footer!,
  };
  return { subject, ...texts };
}
