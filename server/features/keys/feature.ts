import { LIMITS } from '#contract/shared/limits.ts';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listKeyRequests } from '#db/queries/key-requests.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { deleteFirstKeyFile } from './first-key-file.ts';
import { keyMail } from './key-mail.ts';
import { createKeyRequests } from './key-requests.ts';
import { keysRoutes } from './owner-routes.ts';

export const keys = defineFeature({
  name: 'keys',
  service: createKeyRequests,
  routes: { owner: { keys: keysRoutes } },
  mails: [keyMail],
  hourly: deleteFirstKeyFile,
  expiring: ['key_requests'],
  accountTables: { api_keys: 'exported', key_requests: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('keys.json', 'The API keys, without their secrets.', () => listApiKeys(db, accountId)),
    jsonFile('requests.json', 'The latest requests that were made with the keys.', () =>
      listKeyRequests(db, accountId, { limit: LIMITS.keyRequests }),
    ),
  ],
});
