/** Addresses of version 0.3, and where they lead. */
const MOVED: Readonly<Record<string, (query: URLSearchParams) => string>> = {
  events: (query) => activityPath(query.get('kind')),
  'keys/requests': (query) =>
    activityPath(query.has('failed') ? 'problems' : 'requests', query.get('key')),
  'operator/audit': (query) => activityPath('audit', query.get('action')),
};

export function movedPath(path: string, query: URLSearchParams): string | undefined {
  return Object.hasOwn(MOVED, path) ? MOVED[path]!(query) : undefined;
}

export function activityPath(kind: string | null, of: string | null = null): string {
  const params = new URLSearchParams({ ...(kind && { kind }), ...(of && { of }) }).toString();
  return `activity${params && `?${params}`}`;
}
