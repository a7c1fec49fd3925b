import { defineFeature } from '../define-feature.ts';
import { serverRoutes } from './owner-routes.ts';

export const serverStatus = defineFeature({ routes: { operator: { server: serverRoutes } } });
