/** Scopes of an API key; `operator` is `all` plus the rights of an operator. */
export const SCOPES = ['all', 'read', 'metrics', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a scope allows calling an endpoint. */
export function mayCall(
  scope: Scope,
  { method, metadata }: { method: string; metadata: { scope?: Scope } },
): boolean {
  const needed = metadata.scope ?? (method === 'GET' ? 'read' : 'all');
  return scope === needed || scope === 'operator' || (scope === 'all' && needed !== 'operator');
}
