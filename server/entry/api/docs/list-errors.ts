import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import type { Contract, Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusal, Refusals } from '#contract/refusal.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';

export interface DeclaredError extends Refusal {
  code: string;
  /** The endpoints that declare it themselves. */
  routes: Route[];
}

/** Every error that a server can return, once for each condition, by section. */
export function listErrors(): Map<string, DeclaredError[]> {
  const internalError = {
    ...NON_ENDPOINT_REFUSALS.internalError,
    when: 'The server or a service that it depends on failed.',
  };
  const routes = [contract, ownerContract]
    .flatMap((areas: Contract) => Object.values(areas))
    .flatMap((area) => Object.values(area));
  return new Map([
    ['Every endpoint', toErrors({ ...AUTHENTICATED_DEFAULTS.requestRefusals, internalError })],
    ['Every write', toErrors(WRITE_REFUSALS)],
    ['Single endpoints', mergeEqual(routes)],
    ['Outside all endpoints', toErrors(NON_ENDPOINT_REFUSALS)],
    ['Pages', toErrors(PAGE_REFUSALS)],
  ]);
}

function toErrors(refusals: Refusals, routes: Route[] = []): DeclaredError[] {
  return Object.entries(refusals).map(([code, refusal]) => ({ ...refusal, code, routes }));
}

function mergeEqual(routes: readonly Route[]): DeclaredError[] {
  const errors = routes.flatMap((route) => toErrors(route.metadata.refusals, [route]));
  const groups = Map.groupBy(errors, ({ code, status, when }) => `${status} ${code} ${when}`);
  return [...groups.values()].map((equal) => ({
    ...equal[0]!,
    routes: equal.flatMap((error) => error.routes),
  }));
}
