import { connections } from '../connections/feature.ts';
import { defineFeature } from '../define-feature.ts';
import { visitors } from '../visitors/feature.ts';
import { weekSummaryJob } from './week-summary-job.ts';

export const weekSummaries = defineFeature({
  name: 'weekSummaries',
  optional: true,
  needs: [connections, visitors],
  jobs: [weekSummaryJob],
  accountTables: { week_summaries: 'not exported: the time zone is in account.json' },
});
