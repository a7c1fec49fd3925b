import { backups } from '../backups/feature.ts';
import { signOn } from '../sign-on/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { serverRoutes } from './owner-routes.ts';

export const serverStatus = defineFeature({
  name: 'serverStatus',
  needs: [backups, signOn],
  routes: { operator: { server: serverRoutes } },
});
