import { defineFeature } from '../define-feature.ts';
import { createPageFetcher } from './page-fetcher.ts';

export const pageImport = defineFeature({
  name: 'pageImport',
  service: () => createPageFetcher(),
});
