import { listApiKeys } from '#db/queries/api-keys.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { deleteFirstKeyFile } from './first-key-file.ts';
import { keyMail } from './key-mail.ts';
import { keysRoutes } from './owner-routes.ts';
import { defineFeature } from '../define-feature.ts';

export const keys = defineFeature({
  routes: { owner: { keys: keysRoutes } },
  mails: [keyMail],
  hourly: deleteFirstKeyFile,
  accountTables: { api_keys: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('keys.json', 'The API keys, without their secrets.', () => listApiKeys(db, accountId)),
  ],
});
