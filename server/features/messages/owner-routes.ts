import type { messages } from '#contract/owner/messages.ts';
import { contactEmail } from '#contract/shared/web-url.ts';
import { findInstance } from '#db/queries/instance.ts';
import {
  countRecipients,
  findMessageAllowance,
  findNoticeTime,
  insertMessage,
  listMessageRecipients,
  listMessages,
  lockMessages,
  skipWaitingMails,
} from '#db/queries/messages.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { formatTime } from '#server/platform/mail/mail-text.ts';
import { paginate } from '#server/platform/paginate.ts';
import {
  memberMessageMail,
  officialNoticeMail,
  previewMemberMessage,
} from './member-message-mail.ts';

export function messageRoutes({ outbox, origin }: Core): Handlers<typeof messages> {
  return {
    listMessages: async ({ accountId, readDb, query: { limit, after }, refuse }) => {
      if (after !== undefined && !(await hasRow(readDb, 'messages', after)))
        throw refuse('cursorInvalid');
      const [rows, { remaining, sendableAt }, noticeSendableAt] = await Promise.all([
        listMessages(readDb, { limit: limit + 1, after }),
        findMessageAllowance(readDb, { accountId, audience: 'all', official: false }),
        findNoticeTime(readDb, { accountId, audience: 'all', official: true }),
      ]);
      const { entries, next } = paginate(rows, limit, serializeTimes);
      return {
        messages: entries,
        remaining,
        sendable_at: sendableAt?.toISOString() ?? null,
        notice_sendable_at: noticeSendableAt?.toISOString() ?? null,
        next,
      };
    },

    listMessageRecipients: async ({ readDb, query: { message_id, limit, after }, refuse }) => {
      if (!(await hasRow(readDb, 'messages', message_id))) throw refuse('messageNotFound');
      if (after !== undefined && !(await hasRow(readDb, 'message_recipients', after)))
        throw refuse('cursorInvalid');
      const page = { messageId: message_id, limit: limit + 1, after };
      const rows = await listMessageRecipients(readDb, page);
      const { entries: recipients, next } = paginate(rows, limit, (row) => row);
      return { recipients, next };
    },

    previewMessage: async ({ accountId, readDb, body }) => {
      const [counts, { remaining, sendableAt }, noticeSendableAt, { text }] = await Promise.all([
        countRecipients(readDb, { accountId, ...body }),
        findMessageAllowance(readDb, { accountId, ...body }),
        findNoticeTime(readDb, { accountId, ...body }),
        previewMemberMessage(readDb, origin(), { accountId, ...body }),
      ]);
      return {
        ...counts,
        remaining,
        sendable_at: sendableAt?.toISOString() ?? null,
        notice_sendable_at: noticeSendableAt?.toISOString() ?? null,
        text,
      };
    },

    createMessage: async ({ accountId, db, body, refuse, audit }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      if (contactEmail((await findInstance(db)).contact) === null)
        throw refuse('replyAddressMissing');
      await lockMessages(db);
      if (body.audience !== 'self') {
        const noticeSendableAt = body.official
          ? await findNoticeTime(db, { accountId, ...body })
          : null;
        if (noticeSendableAt)
          throw refuse('noticeLimitReached', {
            ...retryAfter(noticeSendableAt.getTime() - Date.now()),
            time: (t) => formatTime(noticeSendableAt.toISOString(), t),
          });
        const { sendableAt } = await findMessageAllowance(db, { accountId, ...body });
        if (sendableAt)
          throw refuse('messageLimitReached', retryAfter(sendableAt.getTime() - Date.now()));
      }
      const { id, recipients } = await insertMessage(db, { accountId, ...body });
      if (recipients.length === 0)
        throw refuse(body.audience === 'self' ? 'ownEmailMissing' : 'recipientsMissing');
      const mails = recipients.map(({ id: recipientId, language }) => ({
        recipientId,
        language: language ?? 'en',
      }));
      const mail = body.official ? officialNoticeMail : memberMessageMail;
      await outbox.enqueueAll(db, mail, mails);
      const { text: _text, official, ...detail } = body;
      const counted = { ...detail, recipients: recipients.length };
      audit({ detail: { message: id, ...counted, ...(official && { official }) } });
      const [message] = await listMessages(db, { id });
      return { message: serializeTimes(message!) };
    },

    cancelMessage: async ({ db, body: { message_id: id }, refuse, audit }) => {
      await skipWaitingMails(db, id);
      const [message] = await listMessages(db, { id });
      if (!message) throw refuse('messageNotFound');
      const { subject, skipped } = message;
      audit({ detail: { message: id, subject, skipped } });
      return { message: serializeTimes(message) };
    },
  };
}
