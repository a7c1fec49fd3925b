import { type Contract, listRoutes, type Route } from '#contract/define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '#contract/endpoint-defaults.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusal, Refusals } from '#contract/refusal.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { PROJECT_KEY_REFUSALS } from '#contract/stats.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';

export interface DeclaredError extends Refusal {
  code: string;
  section: string;
  /** The endpoints that declare it themselves. */
  routes: Route[];
}

export const ERRORS_INTRO =
  'An error is `{ "error": "…" }` with its code in the header `X-Error-Code`, and the path of a field at fault in `X-Error-Field`. Messages may change, codes never do. The message says what to change: correct the request after a 400, list what there is after a 404, and read the state again after a 409. A retry can help where it says so, for a write with the same `Idempotency-Key`: wait as many seconds as `Retry-After` says (it can be hours), otherwise 1 s, then twice as long each time, up to a minute. Give the operator the `X-Request-Id` of a 500 that remains.';

/** They have a status for which clients try again, but the same request fails again. */
const LASTING_ERRORS = new Set([
  ...['bundleFailed', 'outcomeUnknown', 'queryTooExpensive'],
  ...['requestInterrupted', 'signOnMisconfigured'],
]);

/** Whether the same request may succeed later. */
export function isTemporary({ code, status }: DeclaredError): boolean {
  return (status >= 500 || status === 408 || status === 429) && !LASTING_ERRORS.has(code);
}

const ROUTES = new Map(
  [contract as Contract, ownerContract as Contract]
    .flatMap((areas) => Object.values(areas))
    .flatMap((routes) => Object.entries(routes)),
);

/** The errors of an operation, its own first. */
export function errorsByStatus(
  operationId: string,
): [status: number, errors: [code: string, refusal: Refusal][]][] {
  const { refusals, sharedRefusals } = ROUTES.get(operationId)!.metadata;
  const errors = Object.entries({ ...refusals, ...sharedRefusals });
  return [...Map.groupBy(errors, ([, { status }]) => status)].toSorted(([a], [b]) => a - b);
}

export function listErrorsByCode(
  pathsOff?: ReadonlySet<string>,
): [code: string, errors: DeclaredError[]][] {
  return [...Map.groupBy(listErrors(pathsOff), ({ code }) => code)]
    .toSorted()
    .map(([code, errors]) => [code, mergeEqual(errors)]);
}

/** Every error that a server without `pathsOff` can return, once for each condition. */
export function listErrors(pathsOff?: ReadonlySet<string>): DeclaredError[] {
  const internalError = {
    ...NON_ENDPOINT_REFUSALS.internalError,
    when: 'The server or a service that it depends on failed.',
  };
  const errors = [
    ...toErrors('Every endpoint', { ...AUTHENTICATED_DEFAULTS.requestRefusals, internalError }),
    ...toErrors('Every write', WRITE_REFUSALS),
    ...listRoutes(contract, ownerContract)
      .filter(({ path }) => !pathsOff?.has(path))
      .flatMap((route) => toErrors('Single endpoints', route.metadata.refusals, [route])),
    ...toErrors('Single endpoints', PROJECT_KEY_REFUSALS, [contract.stats.ingestMetrics]),
    ...toErrors('Outside all endpoints', NON_ENDPOINT_REFUSALS),
    ...toErrors('Pages', PAGE_REFUSALS),
  ];
  const groups = Map.groupBy(errors, ({ code, status, when, message }) =>
    [code, status, when, message].join(' '),
  );
  return [...groups.values()].map((equal) => ({
    ...equal[0]!,
    routes: equal.flatMap((error) => error.routes),
  }));
}

function toErrors(section: string, refusals: Refusals, routes: Route[] = []): DeclaredError[] {
  return Object.entries(refusals).map(([code, refusal]) => ({ ...refusal, code, section, routes }));
}

/** Endpoints that say the same in slightly different cases. */
function mergeEqual(errors: DeclaredError[]): DeclaredError[] {
  const groups = Map.groupBy(errors, ({ status, message, section }) =>
    [status, section, message].join(' '),
  );
  return [...groups.values()].map((equal) => {
    // "is missing or not valid" includes "is not valid".
    const included = new Set(
      equal
        .filter(({ when }) => when.includes('missing or '))
        .map(({ when }) => when.replace('missing or ', '')),
    );
    const all = equal.map(({ when }) => when);
    const whens = all.filter(
      (when) =>
        !included.has(when) && !all.some((other) => other !== when && other.startsWith(when)),
    );
    const routes = [...new Set(equal.flatMap((error) => error.routes))];
    return { ...equal[0]!, when: whens.join(' '), routes };
  });
}
