/** Scopes of an API key; `operator` is `all` plus the rights of an operator. */
export const SCOPES = ['all', 'read', 'metrics', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

export function mayCall(
  scope: Scope,
  { method, metadata }: { method: string; metadata: { scope?: Scope } },
): boolean {
  const required = metadata.scope ?? (method === 'GET' ? 'read' : 'all');
  return scope === required || scope === 'operator' || (scope === 'all' && required !== 'operator');
}
