import { defineFeature } from '../define-feature.ts';
import { serverRoutes } from './owner-routes.ts';

export const serverStatus = defineFeature({
  name: 'serverStatus',
  routes: { operator: { server: serverRoutes } },
});
