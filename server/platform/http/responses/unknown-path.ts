import type { FastifyRequest } from 'fastify';
import { type Contract, listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { removalOf } from '#contract/removals.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { operationOf } from '#contract/shared/owner-path.ts';
import { createRefuser, RefusalError } from '#server/platform/refusal.ts';

const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);

/** Without differences that people overlook: letter case, slashes, hyphens and underscores. */
const toKey = (path: string): string => path.toLowerCase().replaceAll(/[/_-]/g, '');

/** Operators' endpoints have no suggestion, because for others they do not exist. */
const ENDPOINTS = listRoutes(contract, ownerContract).filter(
  ({ metadata }) => metadata.scope !== 'operator',
);

/** Shorter paths, such as `/map`, are rarely misspelled endpoints. */
const MIN_TYPO_LENGTH = 8;

const ENDPOINT_BY_KEY = new Map([
  ...[...Map.groupBy(ENDPOINTS, ({ path }) => path)].map(
    ([path, routes]) =>
      [toKey(path), `${routes.map(({ method }) => method).join(' or ')} ${path}`] as const,
  ),
  ...Object.keys(ownerContract).map(
    (area) => [toKey(`/docs/${area}.md`), `GET /docs/owner/${area}.md`] as const,
  ),
])
  .set(toKey('/mcp'), 'POST /mcp')
  // Removed since 0.2.0.
  .set(toKey('/owner/page/import-page-text'), 'POST /owner/page/import-page');

/** Says what replaced a removed endpoint, or suggests the one that was meant, else the document. */
export function refuseUnknownPath({
  log,
  server: { pathsOff },
  url,
}: Pick<FastifyRequest, 'log' | 'server' | 'url'>): RefusalError {
  const path = url.split('?', 1)[0]!;
  if (pathsOff.has(path)) log.info({ path }, 'FEATURES_OFF leaves out the feature of this path');
  const removal = removalOf(operationOf(path) ?? '');
  const endpoint = findEndpoint(path, pathsOff);
  const document = findOwnerDocument(path, pathsOff);
  const hint = removal
    ? '{removal}'
    : endpoint
      ? 'Did you mean {endpoint}?'
      : document && 'See {document}.';
  if (hint === undefined) return refuse('pathNotFound');
  const message = `There is nothing at this path. ${hint}`;
  const refusal = { ...PATH_NOT_FOUND_REFUSALS.pathNotFound, message };
  return new RefusalError('pathNotFound', refusal, { removal, endpoint, document } as object);
}

/** That of the area in the path, else that of all. */
function findOwnerDocument(path: string, pathsOff: ReadonlySet<string>): string | undefined {
  const [, owner = '', area = ''] = path.split(/\/+/);
  if (toKey(owner) !== 'owner') return undefined;
  const [known] =
    Object.entries<Contract[string]>(ownerContract).find(
      ([name, routes]) =>
        toKey(name) === toKey(area) &&
        Object.values(routes).some((route) => !pathsOff.has(route.path)),
    ) ?? [];
  return `/docs/owner/${known ? `${known}.md` : ''}`;
}

/** Also with one wrong letter, without `/owner` or after a prefix such as `/api`. */
function findEndpoint(path: string, pathsOff: ReadonlySet<string>): string | undefined {
  const keys = [path, `/owner${path}`, path.replace(/^\/+[^/]+/, '')].map(toKey);
  const meant =
    keys.find((key) => ENDPOINT_BY_KEY.has(key)) ??
    [...ENDPOINT_BY_KEY.keys()].find((known) => keys.some((key) => isOneLetterOff(key, known)));
  const endpoint = ENDPOINT_BY_KEY.get(meant ?? '');
  return pathsOff.has(endpoint?.split(' ').at(-1) ?? '') ? undefined : endpoint;
}

function isOneLetterOff(a: string, b: string): boolean {
  if (a.length < MIN_TYPO_LENGTH || Math.abs(a.length - b.length) > 1) return false;
  let index = 0;
  while (index < b.length && a[index] === b[index]) index += 1;
  const [restA, restB] = [a.slice(index), b.slice(index)];
  return restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB;
}
