import type { messages } from '#contract/owner/messages.ts';
import { contactEmail } from '#contract/shared/web-url.ts';
import { findInstance } from '#db/queries/instance.ts';
import {
  countRecipients,
  findMessageAllowance,
  insertMessage,
  listMessageRecipients,
  listMessages,
  lockMessages,
  skipWaitingMails,
} from '#db/queries/messages.ts';
import { hasRow } from '#db/queries/rows.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { paginate } from '#server/platform/paginate.ts';
import { memberMessageMail, previewMemberMessage } from './member-message-mail.ts';
import type { Core } from '#server/core.ts';

export function messageRoutes({ outbox, origin }: Core): Handlers<typeof messages> {
  return {
    listMessages: async ({ readDb, query: { limit, after }, refuse }) => {
      if (after !== undefined && !(await hasRow(readDb, 'messages', after)))
        throw refuse('cursorInvalid');
      const [rows, { remaining, sendableAt }] = await Promise.all([
        listMessages(readDb, { limit: limit + 1, after }),
        findMessageAllowance(readDb),
      ]);
      const { entries, next } = paginate(rows, limit, serializeTimes);
      const sendable_at = sendableAt?.toISOString() ?? null;
      return { messages: entries, remaining, sendable_at, next };
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

    previewMessage: async ({ accountId, readDb, body: { audience, address, ...draft } }) => {
      const [counts, { text }] = await Promise.all([
        countRecipients(readDb, { audience, address, accountId }),
        previewMemberMessage(readDb, origin(), { accountId, ...draft }),
      ]);
      return { ...counts, text };
    },

    createMessage: async ({ accountId, db, body, refuse, audit }) => {
      if (!outbox.isAvailable) throw refuse('mailUnavailable');
      if (contactEmail((await findInstance(db)).contact) === null)
        throw refuse('replyAddressMissing');
      await lockMessages(db);
      const { sendableAt } = await findMessageAllowance(db);
      if (sendableAt && body.audience !== 'self')
        throw refuse('messageLimitReached', retryAfter(sendableAt.getTime() - Date.now()));
      const { id, recipients } = await insertMessage(db, { accountId, ...body });
      if (recipients.length === 0)
        throw refuse(body.audience === 'self' ? 'ownEmailMissing' : 'recipientsMissing');
      const mails = recipients.map(({ id: recipientId, language }) => ({
        recipientId,
        language: language ?? 'en',
      }));
      await outbox.enqueueAll(db, memberMessageMail, mails);
      const { text: _text, ...detail } = body;
      audit({ detail: { message: id, ...detail, recipients: recipients.length } });
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
