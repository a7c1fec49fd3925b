import { NameplateError } from './errors.ts';
import type { FetchInit, RequestOptions } from './options.ts';
import type { Settings } from './settings.ts';
import { uuid } from './uuid.ts';
import { VERSION } from './version.ts';

/** Request that is given to `fetch` in every attempt of a call; key and signal come with each. */
export type PreparedRequest = Omit<FetchInit, 'signal'>;

/** Makes the request of a call; what is wrong with its headers or its body is said here. */
export function requestOf(
  settings: Settings,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions,
): PreparedRequest {
  if (!path.startsWith('/')) throw new NameplateError('The path must begin with a slash.');
  try {
    return {
      ...settings.fetchOptions,
      ...options.fetchOptions,
      method,
      headers: headersOf(settings, method, body, options),
      ...(body === undefined ? {} : { body: serialize(body) }),
      redirect: 'manual',
    };
  } catch (cause) {
    throw new NameplateError('The body cannot be written as JSON or a header is not valid.', {
      cause,
    });
  }
}

function headersOf(
  settings: Settings,
  method: string,
  body: unknown,
  options: RequestOptions,
): Record<string, string> {
  const headers = new Headers({ accept: 'application/json' });
  // A browser that is told another user agent asks the server for permission first.
  if (!settings.inBrowser) headers.set('user-agent', `nameplate-client/${VERSION}`);
  for (const [name, value] of [
    ...Object.entries(settings.defaultHeaders ?? {}),
    ...Object.entries(options.headers ?? {}),
  ])
    if (value == null) headers.delete(name);
    else headers.set(name, value);
  if (body !== undefined)
    headers.set('content-type', isFile(body) ? 'application/octet-stream' : 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  else if (method !== 'GET' && !headers.has('idempotency-key'))
    headers.set('idempotency-key', uuid());
  return Object.fromEntries(headers);
}

/** Serializes a body; the bytes of a view are copied, since it may show only a part of its buffer. */
function serialize(body: unknown): string | ArrayBuffer | Blob {
  if (!isFile(body)) return JSON.stringify(body);
  return body instanceof Uint8Array ? new Uint8Array(body).buffer : body;
}

function isFile(body: unknown): body is ArrayBuffer | Uint8Array | Blob {
  return body instanceof ArrayBuffer || body instanceof Uint8Array || body instanceof Blob;
}
