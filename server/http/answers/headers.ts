import type { RefusalError } from '#server/refusal.ts';

/** Permissions of a page beyond nothing, by the directives of a Content-Security-Policy. */
export type PagePolicy = Readonly<Partial<Record<Directive, string>>>;

type Directive =
  | `${string}-${'src' | 'uri' | 'action'}`
  | 'frame-ancestors'
  | 'require-trusted-types-for'
  | 'sandbox'
  | 'trusted-types';

/**
 * Headers that deny what no page of ours needs: to be opened by others' scripts, to tell where one came
 * from, devices.
 */
const FOR_PAGES = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
};

/** The security headers of an answer: of a page with what it needs, else of one that is only data. */
export function securityHeaders(page?: PagePolicy): Record<string, string> {
  const { 'frame-ancestors': framers = "'none'", ...allowed } = page ?? {};
  const policy = {
    'default-src': "'none'",
    ...(page && { 'base-uri': "'none'", 'form-action': "'none'", ...allowed }),
    'frame-ancestors': framers,
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, value]) => `${directive} ${value}`)
      .join('; '),
    'cross-origin-resource-policy': 'same-origin',
    ...(page && FOR_PAGES),
    'x-content-type-options': 'nosniff',
  };
}

/** Names the refusal that an answer is. */
export const ERROR_CODE = 'x-error-code';

/** The path of the field that an error is about, percent-encoded. */
export const ERROR_FIELD = 'x-error-field';

/** Longest name of a field in a header. A key deep in a payload can be longer than clients accept. */
const MAX_FIELD_CHARACTERS = 1_000;

/** The headers that name an error and the field it is about. */
export function errorHeaders(code: string, field: string | undefined): Record<string, string> {
  const encoded = encodeURIComponent(field ?? '');
  return {
    [ERROR_CODE]: code,
    ...(encoded !== '' && encoded.length <= MAX_FIELD_CHARACTERS && { [ERROR_FIELD]: encoded }),
  };
}

/** Headers of a refusal: its name, its field, and those of its own. */
export function refusalHeaders({
  code,
  field,
  status,
  headers,
}: RefusalError): Record<string, string> {
  return {
    ...errorHeaders(code, field),
    // RFC 9110 requires a challenge with 401. Browsers show no login dialog for Bearer.
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="nameplate"' }),
    ...headers,
  };
}

/** Headers of every answer in JSON, beside the request id. */
export const JSON_HEADERS = { 'cache-control': 'no-store', ...securityHeaders() };
