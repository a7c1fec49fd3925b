import { listPasskeys } from '#db/queries/passkeys.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { passkeyLoginRoutes, passkeysRoutes } from './owner-routes.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { passkeyMail } from './passkey-mail.ts';

export const passkeys = defineFeature({
  name: 'passkeys',
  optional: true,
  service: ({ db }: Core) => new PasskeyChallenges(db),
  routes: {
    unauthenticated: { passkeys: passkeyLoginRoutes },
    owner: { passkeys: passkeysRoutes },
  },
  mails: [passkeyMail],
  onStart: ({ passkeys: challenges }: { passkeys: PasskeyChallenges }) => challenges.loadSecret(),
  expiring: ['used_challenges'],
  accountTables: { passkeys: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('passkeys.json', 'The passkeys.', () => listPasskeys(db, accountId)),
  ],
});
