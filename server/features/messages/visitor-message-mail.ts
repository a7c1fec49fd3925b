import { z } from 'zod';
import { findConfirmedAddress } from '#db/queries/owner-mails.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';

export type VisitorMessage = z.infer<typeof VisitorMessage>;
const VisitorMessage = z.object({
  page: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
});

/** From the contact form of a page. */
export const visitorMessageMail = defineOwnerMail({
  kind: 'message',
  schema: OwnerMailData.extend({ message: VisitorMessage }),
  priority: -1,
  load: async (trx, mail) => {
    const address = await findConfirmedAddress(trx, mail.accountId);
    return address === undefined ? undefined : { ...mail, address };
  },
  write: ({ message: { page, name, email, message } }, { t }) => {
    const sender = name ? `${name} <${email}>` : email;
    return {
      isPlainText: true,
      replyTo: { name, address: email },
      subject: t('Message from {email} through your page', { email }),
      intro: [t('A visitor of your page {page} wrote:', { page }), message],
      outro: [t('Reply to this mail to answer {sender}, who then sees your address.', { sender })],
    };
  },
});
