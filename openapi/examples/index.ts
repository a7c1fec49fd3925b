import type { OperationId } from '../operation-id.ts';
import { accountExamples } from './account.ts';
import { emailForwardingExamples } from './email-forwarding.ts';
import type { OperationExamples } from './example.ts';
import { hooksExamples } from './hooks.ts';
import { siteExamples } from './site.ts';
import { statsExamples } from './stats.ts';

/** Examples of every operation, in realistic data. */
export const examples: Readonly<Record<string, OperationExamples>> = {
  ...accountExamples,
  ...siteExamples,
  ...emailForwardingExamples,
  ...statsExamples,
  ...hooksExamples,
} satisfies Record<OperationId, OperationExamples>;
