import type { Core } from '#server/core.ts';
import { defineFeature } from '../define-feature.ts';
import { createChatService } from './chat-service.ts';
import { chatRoutes } from './routes.ts';

export const chat = defineFeature({
  name: 'chat',
  service: (app: Core) => createChatService(app),
  routes: { public: { hooks: chatRoutes } },
  expiring: ['chat_send_counts'],
  accountTables: { chat_send_counts: 'not exported: counts messages' },
});
