/** Scopes of an API key; `operator` is `all` plus the rights of an operator. */
export const SCOPES = ['all', 'read', 'metrics', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** A connected app can also have `page`: it changes the page and nothing else. */
export type AppScope = Scope | 'page';

interface ScopedCaller {
  scope: Scope;
  moreScopes?: readonly AppScope[];
}

interface ScopedRoute {
  method: string;
  path?: string;
  metadata: { scope?: Scope };
}

export function requiredScope({ method, metadata }: ScopedRoute): Scope {
  return metadata.scope ?? (method === 'GET' ? 'read' : 'all');
}

const PAGE_CHANGES: ReadonlySet<string | undefined> = new Set([
  '/owner/page/update-page',
  '/owner/page/restore-page-version',
]);

export function mayCall(scope: AppScope, route: ScopedRoute): boolean {
  if (scope === 'page') return PAGE_CHANGES.has(route.path);
  const required = requiredScope(route);
  return scope === required || scope === 'operator' || (scope === 'all' && required !== 'operator');
}

export function mayCallerCall(
  { scope, moreScopes = [] }: ScopedCaller,
  route: ScopedRoute,
): boolean {
  return [scope, ...moreScopes].some((each) => mayCall(each, route));
}
