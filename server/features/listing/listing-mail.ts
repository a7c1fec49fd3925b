import { z } from 'zod';
import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { findListingMail, startWaitingTime } from '#db/queries/listings.ts';
import { defineMail, MailData } from '#server/platform/mail/define-mail.ts';
import { formatDate } from '#server/platform/mail/mail-text.ts';
import { listsUnlessObjected } from './lists-unless-objected.ts';

/** Tells a member that the list will have them unless they object. */
export const listingMail = defineMail({
  kind: 'listing',
  schema: MailData.extend({ accountId: z.string() }),
  priority: -3,
  perMinute: 30,
  load: async (trx, { accountId }, { config, instance, publicUrl }) => {
    const mail = listsUnlessObjected(config, instance) && (await findListingMail(trx, accountId));
    if (!mail) return undefined;
    const { token, address } = mail;
    const link = `${publicUrl}/unsubscribe/listing/${token}`;
    return { address, accountId, link, isPublic: instance.directory === 'everybody' };
  },
  write: ({ link, isPublic }, { server, publicUrl, t }) => {
    const date = formatDate(new Date(Date.now() + LIMITS.listingDays * DAY_MS), t);
    const url = `${publicUrl}/members`;
    return {
      subject: t('From {date} on, you are in the list of members unless you object', { date }),
      intro: [
        isPublic
          ? t('{server} has a list of its members at {url}, which everybody can see.', {
              server,
              url,
            })
          : t('{server} has a list of its members at {url}, which its members can see.', {
              server,
              url,
            }),
        t(
          'From {date} on, it shows your name, picture and the line below your name, while your page is visible to those who see the list. Before that day, you are in it only if you agree.',
          { date },
        ),
      ],
      action: { label: t('Do not list me'), link },
      note: t('You do not need to sign in for that. You can change it in Settings at any time.'),
    };
  },
  attempted: async (db, { accountId }, { failure }) => {
    if (!failure) await startWaitingTime(db, accountId);
  },
});
