import { defineFeature } from '../define-feature.ts';
import { weekSummaryJob } from './week-summary-job.ts';

export const weekSummaries = defineFeature({
  name: 'weekSummaries',
  jobs: [weekSummaryJob],
  accountTables: { week_summaries: 'not exported: the time zone is in account.json' },
});
