import { z } from 'zod';
import { UNCONFIRMED_ADDRESS_REFUSALS } from '#contract/request-refusals.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import type { Transaction } from '#db/connections/handles.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { recordDestinationMail, setConfirmationToken } from '#db/queries/destination-mails.ts';
import { recordConfirmationMail } from '#db/queries/owner-mails.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { defineMail, type MailKind, MailData } from '#server/platform/mail/define-mail.ts';
import {
  accountName,
  contactOperator,
  dashboardLink,
  enteredFooter,
  operatorName,
} from '#server/platform/mail/mail-text.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(UNCONFIRMED_ADDRESS_REFUSALS);

type DestinationMailData = z.infer<typeof DestinationMailData>;
const DestinationMailData = MailData.extend({
  accountId: z.string(),
  address: z.string(),
  /** Display name, or the email address if there is none. */
  name: z.string(),
  destinationId: z.string(),
  /** Otherwise, the address is only for login links and notices. */
  isForwarding: z.boolean(),
  /** Name of the operator who changed it, if any. */
  operator: z.string().nullish(),
});

/** Asks the owner of a new address to confirm it. */
export const confirmationMail = defineMail({
  kind: 'confirmation',
  schema: DestinationMailData,
  // People wait for it.
  priority: 2,
  key: ({ destinationId }) => destinationId,
  load: async (trx, mail, { config, publicUrl, token, tokenHash }) => {
    await setConfirmationToken(trx, mail.destinationId, tokenHash);
    return { ...mail, mailDomain: config.MAIL_DOMAIN, link: `${publicUrl}/confirm/${token}` };
  },
  write: ({ name, mailDomain, isForwarding, operator, link }, { server, t }) => ({
    subject: t('Confirm your email address at {server}', { server }),
    intro: [
      ...(operator === undefined
        ? []
        : [
            t('{by} entered this address for you at {server}.', {
              by: operatorName(operator, t),
              server,
            }),
          ]),
      isForwarding
        ? t('Confirm this address to get the mail to {address} and login links for {server}.', {
            address: `${name}@${mailDomain}`,
            server,
          })
        : t(
            'Once you confirm this address, it gets the login links for the account {name} at {server}.',
            { name: accountName(name), server },
          ),
    ],
    hasOneTimeLink: true,
    action: { label: t('Check and confirm'), link },
    note: t('The link works for 24 hours.'),
    outro: [t('Not you? Ignore this mail. Nothing will change.')],
    footer: enteredFooter(server, t),
  }),
});

/** Tells the former address. */
export const changeMail = defineMail({
  kind: 'change',
  schema: DestinationMailData.extend({
    /** Whether the new address has to be confirmed first. Undefined if mail is no longer forwarded. */
    waits: z.boolean().optional(),
  }),
  load: async (_trx, mail, { config }) => ({ ...mail, mailDomain: config.MAIL_DOMAIN }),
  write: (mail, { to, server, publicUrl, t }) => {
    const { isForwarding, waits, operator } = mail;
    const address = `${mail.name}@${mail.mailDomain}`;
    const values = { name: accountName(mail.name), server, to, address };
    if (waits)
      return {
        subject: t('A new email address for your account at {server}', { server }),
        status: 'security',
        intro: [
          operator === undefined
            ? t('A new email address was entered for your account {name} at {server}.', values)
            : t('{by} entered a new email address for your account {name} at {server}.', {
                ...values,
                by: operatorName(operator, t),
              }),
          isForwarding
            ? t(
                'Until that address is confirmed, login links and mail to {address} still go to {to}. Afterwards, {to} gets nothing more for this account, not even another notice.',
                values,
              )
            : t(
                'Until that address is confirmed, login links still go to {to}. Afterwards, {to} gets nothing more for this account, not even another notice.',
                values,
              ),
          t(
            'Settings shows the new address. If you do not want it, choose Cancel the change there, and end every session that you do not recognize.',
          ),
        ],
        action: { label: t('Open the settings'), link: dashboardLink(publicUrl, 'settings') },
      };
    if (waits === undefined)
      return {
        subject: t('Mail to {address} is no longer forwarded to you', { address }),
        intro: [
          t(
            'Mail to {address} no longer goes to {to}: the account now uses another address or another name.',
            values,
          ),
          contactOperator(server, t),
        ],
        footer: t('Sent by {server} because mail was forwarded to this address.', { server }),
      };
    return {
      subject: t('Your email address at {server} was changed', { server }),
      status: 'security',
      intro: [
        isForwarding
          ? t(
              'Login links for the account {name} at {server} and mail to {address} no longer go to {to}.',
              values,
            )
          : t('Login links for the account {name} at {server} no longer go to {to}.', values),
        contactOperator(server, t),
      ],
    };
  },
});

type NewMail<Data> = Omit<Data, 'destinationId' | 'language'>;

/**
 * Mails an address of an account. Resolves to false if there is no mail server, or the daily limit of
 * the address is reached. Refuses a confirmation over an hourly limit.
 */
export async function mailDestination<Data extends DestinationMailData>(
  trx: Transaction,
  outbox: Outbox,
  mail: MailKind<Data>,
  data: NewMail<Data> & NewMail<DestinationMailData>,
): Promise<boolean> {
  if (!outbox.isAvailable) return false;
  const destinationId = await recordDestinationMail(trx, data);
  if (destinationId === undefined) return false;
  if (mail.kind === confirmationMail.kind) {
    if (!(await recordConfirmationMail(trx, data)))
      throw refuse('mailLimitReached', retryAfter(HOUR_MS));
    await outbox.countUnconfirmed(trx, 'forwarding');
  }
  const language = await findAccountLanguage(trx, data.accountId);
  return outbox.enqueue(trx, mail, { ...data, destinationId, language } as unknown as Data);
}
