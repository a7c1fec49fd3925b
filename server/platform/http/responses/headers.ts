import { DEPRECATION_DATE } from '#contract/deprecations.ts';
import type { RefusalError } from '#server/platform/refusal.ts';

/** Lets an open dashboard notice that the server has another version. */
export const VERSION_HEADER = 'nameplate-version';

/** Everything that a page's `Content-Security-Policy` does not list is forbidden. */
export type PagePolicy = Readonly<Partial<Record<Directive, string>>>;

type Directive =
  | `${string}-${'src' | 'uri' | 'action'}`
  | 'frame-ancestors'
  | 'require-trusted-types-for'
  | 'sandbox'
  | 'trusted-types';

/**
 * Forbids features that no page needs: access from other windows, referrers and device permissions.
 */
const PAGE_ONLY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
};

/** `page` is the policy of an HTML page. Without it, the headers are for JSON and files. */
export function securityHeaders(page?: PagePolicy): Record<string, string> {
  const { 'frame-ancestors': frameAncestors = "'none'", ...allowed } = page ?? {};
  const policy = {
    'default-src': "'none'",
    ...(page && { 'base-uri': "'none'", 'form-action': "'none'", ...allowed }),
    'frame-ancestors': frameAncestors,
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, value]) => `${directive} ${value}`)
      .join('; '),
    'cross-origin-resource-policy': 'same-origin',
    ...(page && PAGE_ONLY_HEADERS),
    'x-content-type-options': 'nosniff',
  };
}

/**
 * Forbids proxies to change HTML. Cloudflare would hide email addresses until a script decodes them,
 * which pages do not run (its documents, "Email Address Obfuscation").
 */
export function cacheControlFor(type: string, cacheControl: string): string {
  return type.startsWith('text/html') && !cacheControl.includes('no-transform')
    ? `${cacheControl}, no-transform`
    : cacheControl;
}

export const ERROR_CODE_HEADER = 'x-error-code';

/** `url` is the address of the server; without it, the reference is relative. */
export function helpLink(code: string, url = ''): string {
  return `<${url}/docs/errors#${code}>; rel="help"`;
}

/** The link leads to the operation, which says what replaces it. In errors, `helpLink` takes its place. */
export function deprecationHeaders(path: string, url = ''): Record<string, string> {
  const id = path
    .split('/')
    .at(-1)!
    .replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    deprecation: DEPRECATION_DATE,
    link: `<${url}/docs/owner/#${id}>; rel="deprecation"; type="text/html"`,
  };
}

/** The percent-encoded paths of the fields that the error is about, separated by commas. */
export const ERROR_FIELD_HEADER = 'x-error-field';

/** Paths beyond this limit are omitted, because some clients reject long headers. */
const MAX_FIELDS_CHARACTERS = 1_000;
const MAX_FIELDS = 10;

export function errorHeaders(code: string, fields: readonly string[]): Record<string, string> {
  return { [ERROR_CODE_HEADER]: code, ...fieldsHeader(ERROR_FIELD_HEADER, fields) };
}

/** The percent-encoded paths of fields that have no effect. */
export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

export function fieldsHeader(name: string, fields: readonly string[]): Record<string, string> {
  let encoded = '';
  for (const field of fields.slice(0, MAX_FIELDS)) {
    const extended = `${encoded}${encoded && ','}${encodeURIComponent(field)}`;
    if (extended.length > MAX_FIELDS_CHARACTERS) break;
    encoded = extended;
  }
  return encoded === '' ? {} : { [name]: encoded };
}

export function refusalHeaders({
  code,
  fields,
  status,
  headers,
}: RefusalError): Record<string, string> {
  return {
    ...errorHeaders(code, fields),
    // RFC 9110 requires a challenge with 401. Browsers show no login dialog for Bearer.
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="nameplate"' }),
    ...headers,
  };
}

export const JSON_HEADERS = { 'cache-control': 'no-store', ...securityHeaders() };
