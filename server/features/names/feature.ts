import type { Core } from '#server/core.ts';
import { defineFeature } from '../define-feature.ts';
import { createReservedNameCheck } from './reserved-names.ts';
import { displayNameRoutes } from './routes.ts';

export const names = defineFeature({
  name: 'names',
  service: ({ config }: Core) => ({ isReserved: createReservedNameCheck(config) }),
  routes: { public: { account: displayNameRoutes } },
  accountTables: { display_names: 'not exported: part of the account' },
});
