/** Scopes of an API key: everything, read everything, or submit metrics. */
export const SCOPES = ['all', 'read', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key of a scope may call an endpoint. */
export function mayCall(
  scope: Scope,
  { method, metadata }: { method: string; metadata: { scope?: Scope } },
): boolean {
  const needed = metadata.scope ?? (method === 'GET' ? 'read' : 'all');
  return scope === 'all' || scope === needed;
}
