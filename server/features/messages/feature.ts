import { listReceivedMessages } from '#db/queries/messages.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { memberMessageMail, officialNoticeMail } from './member-message-mail.ts';
import { messageRoutes } from './owner-routes.ts';

export const messages = defineFeature({
  name: 'messages',
  optional: true,
  routes: { operator: { messages: messageRoutes } },
  mails: [memberMessageMail, officialNoticeMail],
  links: ['/unsubscribe/:token'],
  expiring: ['messages'],
  accountTables: { message_recipients: 'exported', message_subscriptions: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('messages.json', 'The messages of operators, and whether they were sent to you.', () =>
      listReceivedMessages(db, accountId),
    ),
  ],
});
