import { z } from 'zod';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, contactOperator, operatorName } from '#server/platform/mail/mail-text.ts';

export const deletionMail = defineOwnerMail({
  kind: 'deletion',
  to: 'keepers',
  schema: OwnerMailData.extend({
    /** Name of the operator who deleted it, null without a name. Undefined for the owner. */
    by: z.string().nullish(),
  }),
  write: ({ name, by }, { server, contact, t }) => {
    const serverWithContact = contact === null ? server : `${server} (${contact})`;
    return {
      subject: t('Your account {name} was deleted', { name: accountName(name) }),
      intro: [
        t(
          'Its page, pictures and data at {server} were deleted, too, and no mail reaches you through it.',
          { server },
        ),
        by === undefined
          ? contactOperator(serverWithContact, t)
          : t('{by} deleted it. If that is not right, contact the operator of {server}.', {
              by: operatorName(by, t),
              server: serverWithContact,
            }),
      ],
    };
  },
});
