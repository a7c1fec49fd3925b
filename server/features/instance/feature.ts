import { defineFeature } from '../define-feature.ts';
import { instanceRoutes } from './owner-routes.ts';

export const instance = defineFeature({
  name: 'instance',
  routes: { operator: { server: instanceRoutes } },
});
