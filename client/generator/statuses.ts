import type { RouteMetadata } from '../../contract/define-endpoints.ts';
import type { Refusals } from '../../contract/refusal.ts';
import { errorOf } from '../src/error-of.ts';

/**
 * One `@throws` line for every status that an operation can fail with, and for no answer at all. What
 * every operation refuses is told only where an operation has no reasons of its own.
 */
export function statusDocs({
  refusals,
  sharedRefusals: { internalError, ...shared },
}: RouteMetadata): string[] {
  const whens = { ...whensOf(shared), ...whensOf({ internalError, ...refusals }) };
  return [
    ...Object.entries(whens).map(
      ([status, when]) => `@throws {${errorName(Number(status))}} ${status}: ${when}`,
    ),
    '@throws {APIConnectionError} No answer: the connection failed or took too long.',
    '@throws {APIAbortError} The signal of this call was aborted.',
  ];
}

function whensOf(refusals: Refusals): Record<string, string> {
  const byStatus = Object.groupBy(Object.values(refusals), ({ status }) => status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, all = []]) => [
      status,
      all.map(({ when }) => when).join(' '),
    ]),
  );
}

function errorName(status: number): string {
  return errorOf('', status, undefined, new Headers()).name;
}
