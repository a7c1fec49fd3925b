import { z } from 'zod';
import { LOGIN_LINK_MINUTES, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Database } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { findNameOwner } from '#db/queries/display-names.ts';
import { findOwnerAddress, listAccountsByAddress } from '#db/queries/owner-mails.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import { accountName, enteredFooter, plateFor } from '#server/platform/mail/mail-text.ts';
import type { Outbox } from '#server/platform/mail/outbox.ts';
import { suspensionMail } from '../accounts/suspension-mail.ts';
import { createLoginLink } from './login-link.ts';

/** Login mails that have waited longer are not sent, because the person has probably given up. */
const MAX_AGE_MS = LOGIN_LINK_MINUTES * MINUTE_MS;

export const loginMail = defineOwnerMail({
  kind: 'login',
  to: 'person',
  schema: OwnerMailData.extend({
    /** Other accounts with this address. */
    others: z.array(z.object({ accountId: z.string(), name: z.string().nullable() })).default([]),
    /** Names of accounts with this address that get no link. */
    suspended: z.array(z.string()).default([]),
  }),
  // People wait for it.
  priority: 2,
  key: ({ accountId }) => accountId,
  load: async (trx, mail, { config, publicUrl }) => {
    if (Date.now() - Date.parse(mail.requestedAt) > MAX_AGE_MS) return undefined;
    const links: { name: string | null; link: string }[] = [];
    for (const { accountId, name } of [mail, ...mail.others])
      links.push({
        name,
        link: await createLoginLink(trx, accountId, publicUrl, { isMailed: true }),
      });
    return { ...mail, links, mailDomain: config.MAIL_DOMAIN };
  },
  write: ({ name, links, suspended, mailDomain }, { server, t }) => {
    const max = LIMITS.accountsPerAddress;
    const outro = [
      ...suspended.map((account) =>
        t('{name} is suspended, so it has no link.', { name: account }),
      ),
      ...(links.length + suspended.length < max
        ? []
        : [
            t(
              'A mail lists {max} accounts. To sign in to another one, enter its own address, such as name@{mailDomain}. New accounts with this address need an invitation.',
              { max, mailDomain },
            ),
          ]),
      t('Not you? Ignore this mail. Nobody can sign in without the link.'),
    ];
    const shared = { hasOneTimeLink: true, outro, footer: enteredFooter(server, t) };
    if (links.length > 1)
      return {
        ...shared,
        subject: t('Your login links for {server}', { server }),
        plate: server,
        intro: [
          t(
            '{count, number} accounts at {server} have this address. Each link works once, within ten minutes:',
            { count: links.length, server },
          ),
        ],
        choices: links.map((choice) => ({
          title: plateFor(choice.name) ?? t('Account without a name'),
          label: t('Sign in'),
          link: choice.link,
        })),
      };
    return {
      ...shared,
      subject: t('Your login link for {name}', { name }),
      headline: t('Sign in to {instance}', { instance: server }),
      intro: [
        t('This link for the account {name} works once, within ten minutes.', {
          name: accountName(name),
        }),
      ],
      action: { label: t('Sign in'), link: links[0]!.link },
    };
  },
});

/** Only one person signs in, and anybody can enter the address. */
const suspendedLoginMail = { ...suspensionMail, to: 'person' } as const;

/**
 * Emails login links for all accounts with this confirmed address, or why they are suspended. For
 * `name@mailDomain`, emails the confirmed address of the account with that display name its link.
 */
export async function mailLoginLinks(
  db: Database,
  outbox: Outbox,
  email: string,
  mailDomain?: string,
): Promise<void> {
  const [localPart = '', domain] = email.toLowerCase().split('@');
  const owner = domain === mailDomain ? await findNameOwner(db, localPart) : undefined;
  const address = owner === undefined ? email : await findOwnerAddress(db, owner);
  if (address === undefined) return;
  const unlocked = await listAccountsByAddress(db, address, owner);
  const ids = new Set(unlocked.slice(0, LIMITS.accountsPerAddress).map(({ id }) => id));
  if (ids.size === 0) return;
  await inTransaction(db, async (trx) => {
    await lockAccounts(trx, [...ids]);
    const found = await listAccountsByAddress(trx, address, owner);
    const accounts = found.filter(({ id }) => ids.has(id));
    const suspended = accounts.filter(({ is_suspended }) => is_suspended);
    const [first, ...others] = accounts.filter(
      ({ is_suspended, gets_links }) => !is_suspended && gets_links,
    );
    if (first)
      await outbox.mailOwner(trx, loginMail, {
        accountId: first.id,
        others: others.map(({ id, name }) => ({ accountId: id, name })),
        suspended: suspended.flatMap(({ name }) => name ?? []),
      });
    else
      for (const { id: accountId, suspension_reason: reason } of suspended)
        await outbox.mailOwner(trx, suspendedLoginMail, { accountId, reason, pageOnly: false });
  });
}
