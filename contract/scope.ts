/** Scopes of an API key; `operator` is `all` plus the rights of an operator. */
export const SCOPES = ['all', 'read', 'metrics', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

interface ScopedRoute {
  method: string;
  metadata: { scope?: Scope };
}

export function requiredScope({ method, metadata }: ScopedRoute): Scope {
  return metadata.scope ?? (method === 'GET' ? 'read' : 'all');
}

export function mayCall(scope: Scope, route: ScopedRoute): boolean {
  const required = requiredScope(route);
  return scope === required || scope === 'operator' || (scope === 'all' && required !== 'operator');
}
