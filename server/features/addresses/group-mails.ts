import { z } from 'zod';
import { recordRefusedRecipient, setRecipientToken } from '#db/queries/addresses.ts';
import {
  defineMail,
  defineOwnerMail,
  MailData,
  OwnerMailData,
} from '#server/platform/mail/define-mail.ts';
import {
  accountName,
  dashboardLink,
  operatorFooter,
  operatorName,
} from '#server/platform/mail/mail-text.ts';
import type { Translator } from '#translations/translator.ts';

export type GroupMailData = z.infer<typeof GroupMailData>;
const GroupMailData = OwnerMailData.extend({
  /** The group address. */
  group: z.string(),
  /** Name of the operator who added or removed the member. */
  by: z.string().nullable(),
  isRemoved: z.boolean(),
  /** Whether the address was deleted. */
  isDeleted: z.boolean().optional(),
  /** The former address, after a rename. */
  from: z.string().optional(),
});

/** To a member who was added or removed, or whose group address was renamed. */
export const groupMembershipMail = defineOwnerMail({
  kind: 'group',
  to: 'keepers',
  schema: GroupMailData,
  write: (
    { name, group, by, isRemoved, isDeleted, from = '', keptId },
    { to, server, publicUrl, t },
  ) => {
    const reader = accountName(name);
    const values = { reader, group, from, to, server, by: operatorName(by, t) };
    const [subject, sentence] = from
      ? describeRename(values, t)
      : isRemoved
        ? describeRemoval({ ...values, isDeleted, keptId }, t)
        : keptId
          ? [
              t('{reader} now gets the mail to {group}', values),
              t('{by} at {server} added {reader}.', values),
            ]
          : [
              t('You now get the mail to {group}', values),
              t('{by} at {server} added {reader}. Mail to {group} now goes to {to}.', values),
            ];
    return {
      subject,
      plate: group,
      intro: [sentence],
      action: {
        label: isRemoved ? t('Open the dashboard') : t('See who reads it, or leave'),
        link: dashboardLink(publicUrl, 'mail', { keptId }),
      },
    };
  },
});

/** To operators, about a reader who left or whose account was deleted. */
export const lostReaderMail = defineOwnerMail({
  kind: 'reader',
  to: 'operators',
  // All mails about group addresses share one limit.
  limitKind: 'group',
  schema: OwnerMailData.extend({
    /** The group address. */
    group: z.string(),
    /** Display name or outside address. Null for a member without a name. */
    reader: z.string().nullable(),
    isDeleted: z.boolean(),
    /** Whether it was the last one. */
    isUnread: z.boolean(),
  }),
  write: ({ group, reader, isDeleted, isUnread }, { server, publicUrl, t }) => {
    const values = { group, reader: reader === null ? t('A member') : accountName(reader) };
    return {
      subject: isUnread
        ? t('Nobody gets the mail to {group}', values)
        : t('{reader} no longer gets the mail to {group}', values),
      status: isUnread ? 'attention' : undefined,
      plate: group,
      intro: [
        isDeleted
          ? reader === null
            ? t('The account of a member was deleted.')
            : t('The account of {reader} was deleted.', values)
          : t('{reader} left.', values),
        isUnread
          ? t(
              'That was the last reader. Mail to {group} is refused until you choose another one.',
              values,
            )
          : t('The other readers stay.'),
      ],
      action: { label: t('Choose readers'), link: dashboardLink(publicUrl, 'operator/addresses') },
      footer: operatorFooter(server, t),
    };
  },
});

const OutsideReaderMailData = MailData.extend({
  recipientId: z.string(),
  by: z.string().nullable(),
  /** The former address, after a rename. */
  from: z.string().optional(),
  /** A reader who was removed, so that the row is gone. */
  removed: z
    .object({ address: z.string(), group: z.string(), isDeleted: z.boolean().optional() })
    .optional(),
});
export type OutsideReaderMailData = z.infer<typeof OutsideReaderMailData>;

/** To a reader elsewhere: a link that confirms the address, and ends the forwarding later. */
export const outsideReaderMail = defineMail({
  kind: 'recipient',
  schema: OutsideReaderMailData,
  priority: 1,
  key: ({ recipientId }) => recipientId,
  load: async (trx, mail, { config, publicUrl, token, tokenHash }) => {
    const { recipientId: id, by, from = '', removed } = mail;
    if (removed) {
      const { address, group, isDeleted = false } = removed;
      return { address, group, isDeleted, by, from, link: undefined };
    }
    const recipient = await setRecipientToken(trx, { id, tokenHash, isActive: from !== '' });
    if (!recipient) return undefined;
    const { email: address, name } = recipient;
    const link = `${publicUrl}/confirm/${token}`;
    const group = `${name}@${config.MAIL_DOMAIN}`;
    return { address, group, isDeleted: false, by, from, link };
  },
  write: ({ group, isDeleted, by, from, link }, { to, server, t }) => {
    const values = { reader: to, group, from, to, server, by: operatorName(by, t) };
    const footer = t('Sent by {server} because its operator entered this address.', { server });
    if (link === undefined) {
      const [subject, sentence] = describeRemoval({ ...values, isDeleted }, t);
      return { subject, plate: group, intro: [sentence], footer };
    }
    const [subject, sentence] = from
      ? describeRename(values, t)
      : [
          t('Mail to {group} for you?', values),
          t('{by} at {server} wants mail to {group} to reach you at {to}, too.', values),
        ];
    return {
      subject,
      plate: group,
      intro: [sentence],
      hasOneTimeLink: true,
      action: { label: from ? t('Check or end it') : t('Check and confirm'), link },
      note: from
        ? t('Keep this mail to unsubscribe later. The link in the earlier mail no longer works.')
        : t('Keep this mail to unsubscribe later.'),
      outro: from ? [] : [t('Not interested? Ignore this mail. Nothing will change.')],
      footer,
    };
  },
  // The link of an active reader stays: earlier mails reached the mailbox.
  attempted: async (db, { recipientId: id, from }, { failure, tokenHash }) => {
    if (failure?.isPermanent && from === undefined)
      await recordRefusedRecipient(db, { id, tokenHash });
  },
});

function describeRename(
  values: Record<'from' | 'group' | 'reader' | 'server' | 'by', string>,
  t: Translator,
): [subject: string, sentence: string] {
  return [
    t('{from} is now {group}', values),
    t(
      '{by} at {server} renamed it. Mail to {group} still reaches {reader}; mail to {from} is refused.',
      values,
    ),
  ];
}

function describeRemoval(
  {
    isDeleted,
    keptId,
    ...values
  }: Record<'group' | 'reader' | 'server' | 'by' | 'to', string> &
    Pick<GroupMailData, 'isDeleted' | 'keptId'>,
  t: Translator,
): [subject: string, sentence: string] {
  if (isDeleted)
    return [
      t('{group} no longer exists', values),
      t('{by} at {server} deleted the address. Mail to {group} is refused.', values),
    ];
  // A keeper's own address is not where the group's mail goes.
  if (keptId)
    return [
      t('{reader} no longer gets the mail to {group}', values),
      t('{by} at {server} ended it for {reader}.', values),
    ];
  return [
    t('You no longer get the mail to {group}', values),
    t('{by} at {server} ended it for {reader}. Mail to {group} no longer goes to {to}.', values),
  ];
}
