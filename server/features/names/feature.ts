import { defineFeature } from '../define-feature.ts';

export const names = defineFeature({
  accountTables: { display_names: 'not exported: part of the account' },
});
