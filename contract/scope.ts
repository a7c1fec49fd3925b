/** Scopes of an API key; `operator` is `all` plus the rights of an operator. */
export const SCOPES = ['all', 'read', 'page', 'metrics', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

interface ScopedCaller {
  scope: Scope;
  /** Of a connected app. */
  moreScopes?: readonly Scope[];
}

interface ScopedRoute {
  method: string;
  path?: string;
  metadata: { scope?: Scope };
}

/** Changing the page needs its version. */
const PAGE_OPERATIONS: ReadonlySet<string | undefined> = new Set([
  '/owner/page/get-page-version',
  '/owner/page/list-page-versions',
  '/owner/page/preview-page',
  '/owner/page/update-page',
  '/owner/page/restore-page-version',
]);

/** The narrowest scope that may call it. Operations that only read the page also accept `page`. */
export function requiredScope({ method, path, metadata }: ScopedRoute): Scope {
  const changing = PAGE_OPERATIONS.has(path) ? 'page' : 'all';
  return metadata.scope ?? (method === 'GET' ? 'read' : changing);
}

export function mayCall(scope: Scope, route: ScopedRoute): boolean {
  if (scope === 'page') return PAGE_OPERATIONS.has(route.path);
  const required = requiredScope(route);
  return scope === required || scope === 'operator' || (scope === 'all' && required !== 'operator');
}

export function mayCallerCall(
  { scope, moreScopes = [] }: ScopedCaller,
  route: ScopedRoute,
): boolean {
  return [scope, ...moreScopes].some((each) => mayCall(each, route));
}
