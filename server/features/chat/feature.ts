import { chatRoutes } from './routes.ts';
import { defineFeature } from '../define-feature.ts';

export const chat = defineFeature({
  routes: { public: { hooks: chatRoutes } },
  expiring: ['chat_send_counts'],
  accountTables: { chat_send_counts: 'not exported: counts messages' },
});
