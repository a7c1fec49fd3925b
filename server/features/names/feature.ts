import { displayNameRoutes } from './routes.ts';
import { defineFeature } from '../define-feature.ts';

export const names = defineFeature({
  routes: { public: { account: displayNameRoutes } },
  accountTables: { display_names: 'not exported: part of the account' },
});
