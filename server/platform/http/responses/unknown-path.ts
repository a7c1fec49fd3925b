import type { FastifyRequest } from 'fastify';
import { listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { createRefuser, RefusalError } from '#server/platform/refusal.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

/** Without differences that people overlook: letter case, slashes, hyphens and underscores. */
const toKey = (path: string): string => path.toLowerCase().replaceAll(/[/_-]/g, '');

/** Operators' endpoints have no suggestion, because for others they do not exist. */
const ENDPOINTS = listRoutes(contract, ownerContract).filter(
  ({ metadata }) => metadata.scope !== 'operator',
);

const ENDPOINT_BY_KEY = new Map(
  [...Map.groupBy(ENDPOINTS, ({ path }) => path)].map(([path, routes]) => [
    toKey(path),
    `${routes.map(({ method }) => method).join(' or ')} ${path}`,
  ]),
)
  .set(toKey('/mcp'), 'POST /mcp')
  // Removed since 0.2.0.
  .set(toKey('/owner/page/import-page-text'), 'POST /owner/page/import-page');

/** Suggests the endpoint whose path was misspelled, or that replaced a removed one. */
export function refuseUnknownPath({ url }: Pick<FastifyRequest, 'url'>): RefusalError {
  const endpoint = ENDPOINT_BY_KEY.get(toKey(url.split('?', 1)[0]!));
  if (endpoint === undefined) return refuse('pathNotFound');
  const message = 'There is nothing at this path. Did you mean {endpoint}?';
  const refusal = { ...PATH_NOT_FOUND_REFUSALS.pathNotFound, message };
  return new RefusalError('pathNotFound', refusal, { endpoint } as object);
}
