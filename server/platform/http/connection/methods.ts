import type { IncomingMessage } from 'node:http';

/** No route uses this method. */
const RARE_METHOD = 'TRACE';

/**
 * The methods that the router knows. It keeps a tree of all paths for each method, so the about 30
 * rare ones share one.
 */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', RARE_METHOD];

const originalMethods = new WeakMap<IncomingMessage, string | undefined>();

export function replaceRareMethod(request: IncomingMessage): void {
  const { method } = request;
  if (method !== undefined && METHODS.includes(method)) return;
  originalMethods.set(request, method);
  request.method = RARE_METHOD;
}

export function restoreMethod(request: IncomingMessage): void {
  if (originalMethods.has(request)) request.method = originalMethods.get(request)!;
}
