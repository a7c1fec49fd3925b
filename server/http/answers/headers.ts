import type { RefusalError } from '../../service/refusal.ts';

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

/** Headers of a refusal: its name, and those of its own. */
export function refusalHeaders({ code, status, headers }: RefusalError): Record<string, string> {
  return {
    [ERROR_CODE]: code,
    // RFC 9110 requires a challenge with 401. Browsers show no login dialog for Bearer.
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="nameplate"' }),
    ...headers,
  };
}

/** Headers of every answer in JSON, beside the request id. */
export const JSON_HEADERS = { 'cache-control': 'no-store', ...securityHeaders() };
