import { defineFeature } from '../define-feature.ts';
import { findMissingLegalTexts, findMissingName } from './instance-findings.ts';
import { instanceRoutes } from './owner-routes.ts';

export const instance = defineFeature({
  name: 'instance',
  findings: [findMissingName, findMissingLegalTexts],
  routes: { operator: { server: instanceRoutes } },
});
