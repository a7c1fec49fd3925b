import type { RouteMetadata } from '../../contract/define-endpoints.ts';
import type { Refusals } from '../../contract/refusal.ts';
import { toAPIError } from '../src/to-api-error.ts';

/**
 * Returns a `@throws` line for each error status, and for connection errors. Errors shared by all operations
 * are listed only for statuses without errors of the operation itself.
 */
export function statusDocs({
  refusals,
  sharedRefusals: { internalError, ...shared },
}: RouteMetadata): string[] {
  const descriptions = {
    ...descriptionsByStatus(shared),
    ...descriptionsByStatus({ internalError, ...refusals }),
  };
  return [
    ...Object.entries(descriptions).map(
      ([status, when]) => `@throws {${errorName(Number(status))}} ${status}: ${when}`,
    ),
    '@throws {APIConnectionError} No response: the connection failed or timed out.',
    '@throws {APIAbortError} The signal of this call was aborted.',
  ];
}

function descriptionsByStatus(refusals: Refusals): Record<string, string> {
  const byStatus = Object.groupBy(Object.values(refusals), ({ status }) => status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, all = []]) => [
      status,
      all.map(({ when }) => when).join(' '),
    ]),
  );
}

function errorName(status: number): string {
  return toAPIError('', status, undefined, new Headers()).name;
}
