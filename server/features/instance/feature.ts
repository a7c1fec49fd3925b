import { defineFeature } from '../define-feature.ts';
import { instanceRoutes } from './owner-routes.ts';

export const instance = defineFeature({
  routes: { operator: { server: instanceRoutes } },
});
