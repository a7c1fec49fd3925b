import type { IncomingMessage } from 'node:http';
import { createRefuser, type RefusalError } from '#server/platform/refusal.ts';
import { NON_ENDPOINT_REFUSALS } from '../responses/refusals.ts';

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

/** Headers that other frameworks read the method from. */
const OVERRIDE_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

/** If the header were ignored, a client that wants to edit a message would send another one. */
export function checkMethodOverride(request: IncomingMessage): RefusalError | undefined {
  const header = OVERRIDE_HEADERS.find((name) => {
    const method = request.headers[name];
    return method && String(method).toUpperCase() !== request.method;
  });
  return header === undefined ? undefined : refuse('methodOverridden', { header });
}
