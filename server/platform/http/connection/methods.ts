import type { IncomingMessage } from 'node:http';

/**
 * The router treats every method that no route uses as this one, because it keeps a tree of all
 * paths for each method.
 */
const OTHER_METHOD = 'TRACE';

export const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS', OTHER_METHOD];

const originalMethods = new WeakMap<IncomingMessage, string | undefined>();

export function replaceOtherMethod(request: IncomingMessage): void {
  const { method } = request;
  if (method !== undefined && METHODS.includes(method)) return;
  originalMethods.set(request, method);
  request.method = OTHER_METHOD;
}

export function restoreMethod(request: IncomingMessage): void {
  if (originalMethods.has(request)) request.method = originalMethods.get(request)!;
}
