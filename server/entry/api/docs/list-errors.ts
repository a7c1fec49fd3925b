import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { listRoutes, type Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusal, Refusals } from '#contract/refusal.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';

export interface DeclaredError extends Refusal {
  code: string;
  section: string;
  /** The endpoints that declare it themselves. */
  routes: Route[];
}

/** Every error that a server can return, once for each condition. */
export function listErrors(): DeclaredError[] {
  const internalError = {
    ...NON_ENDPOINT_REFUSALS.internalError,
    when: 'The server or a service that it depends on failed.',
  };
  const errors = [
    ...toErrors('Every endpoint', { ...AUTHENTICATED_DEFAULTS.requestRefusals, internalError }),
    ...toErrors('Every write', WRITE_REFUSALS),
    ...listRoutes(contract, ownerContract).flatMap((route) =>
      toErrors('Single endpoints', route.metadata.refusals, [route]),
    ),
    ...toErrors('Outside all endpoints', NON_ENDPOINT_REFUSALS),
    ...toErrors('Pages', PAGE_REFUSALS),
  ];
  const groups = Map.groupBy(errors, ({ code, status, when }) => `${code} ${status} ${when}`);
  return [...groups.values()].map((equal) => ({
    ...equal[0]!,
    routes: equal.flatMap((error) => error.routes),
  }));
}

function toErrors(section: string, refusals: Refusals, routes: Route[] = []): DeclaredError[] {
  return Object.entries(refusals).map(([code, refusal]) => ({ ...refusal, code, section, routes }));
}
