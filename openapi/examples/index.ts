import type { OperationId } from '../operation-id.ts';
import { accountExamples } from './account.ts';
import { emailForwardingExamples } from './email-forwarding.ts';
import type { OperationExamples } from './example.ts';
import { hooksExamples } from './hooks.ts';
import { siteExamples } from './site.ts';
import { statsExamples } from './stats.ts';

const examples: Readonly<Record<string, OperationExamples>> = {
  ...accountExamples,
  ...siteExamples,
  ...emailForwardingExamples,
  ...statsExamples,
  ...hooksExamples,
} satisfies Record<OperationId, OperationExamples>;

/** What an operation is sent and answers, in realistic data. */
export function examplesOf(operation: string): OperationExamples {
  const found = examples[operation];
  if (found === undefined) throw new Error(`${operation} has no examples.`);
  return found;
}
