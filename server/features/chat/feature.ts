import { defineFeature } from '../define-feature.ts';

export const chat = defineFeature({
  expiring: ['chat_send_counts'],
  accountTables: { chat_send_counts: 'not exported: counts messages' },
});
