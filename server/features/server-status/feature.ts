import { backups } from '../backups/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { serverRoutes } from './owner-routes.ts';

export const serverStatus = defineFeature({
  name: 'serverStatus',
  needs: [backups],
  routes: { operator: { server: serverRoutes } },
});
