import { z } from 'zod';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, dashboardLink } from '#server/platform/mail/mail-text.ts';

export const suspensionMail = defineOwnerMail({
  kind: 'suspension',
  to: 'keepers',
  schema: OwnerMailData.extend({ reason: z.string().nullable(), pageOnly: z.boolean() }),
  write: ({ name, reason, pageOnly, keptId }, { server, contact, publicUrl, t }) => {
    const values = { name: accountName(name), server };
    return {
      subject: pageOnly
        ? t('Your page {name} was hidden', values)
        : t('Your account {name} was suspended', values),
      intro: [
        pageOnly
          ? t(
              'An operator of {server} hid your page {name}. Visitors no longer find it, and you cannot publish it. You can still sign in.',
              values,
            )
          : t(
              'An operator of {server} suspended your account {name}. Its page is hidden, no mail reaches you through it or through group addresses, and you cannot sign in to it. Nothing was deleted.',
              values,
            ),
        ...(reason === null ? [] : [t('Reason:'), `${QUOTE_PREFIX}${shortenText(reason, 500)}`]),
      ],
      ...(pageOnly && {
        action: { label: t('Sign in'), link: dashboardLink(publicUrl, '', { keptId }) },
      }),
      outro: [
        contact === null
          ? t('Fixed it, or think that this is wrong? Ask the people who run {server}.', values)
          : t('Fixed it, or think that this is wrong? Write to {contact}', { contact }),
      ],
    };
  },
});

export const resumptionMail = defineOwnerMail({
  kind: 'resumption',
  to: 'keepers',
  schema: OwnerMailData.extend({ pageOnly: z.boolean() }),
  write: ({ name, pageOnly, keptId }, { server, publicUrl, t }) => {
    const values = { name: accountName(name), server };
    return {
      subject: pageOnly
        ? t('Your page {name} is no longer hidden', values)
        : t('Your account {name} works again', values),
      intro: [
        pageOnly
          ? t(
              'An operator of {server} no longer hides your page {name}. It is public if you published it.',
              values,
            )
          : t(
              'An operator of {server} ended the suspension of {name}. Page and mail work as before.',
              values,
            ),
      ],
      action: { label: t('Sign in'), link: dashboardLink(publicUrl, '', { keptId }) },
    };
  },
});
