import { refusal } from '#contract/refusal.ts';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';

/** Refusals before a request has reached an endpoint, and of paths that are no endpoints. */
export const BELOW_ENDPOINTS = {
  urlInvalid: refusal(400, 'The URL cannot be read.', 'The URL is not valid.'),
  requestInvalid: refusal(
    400,
    'The framework cannot route the request.',
    'The request is not valid.',
  ),
  requestMalformed: refusal(400, 'The request is not HTTP.', 'The request is malformed.'),
  messageInvalid: refusal(
    400,
    'A message to `/mcp` is not one of its protocol; where it is one of JSON-RPC, the body is an error of that.',
    'The request body must be one JSON-RPC message.',
  ),
  messageUnknown: refusal(
    404,
    'A message to `/mcp` has a method that is not supported; the body is an error of JSON-RPC.',
    'The method is not supported.',
  ),
  hostInvalid: refusal(
    400,
    'The Host header is missing, repeated or not valid, or the URL names another host.',
    'The Host header is not valid.',
  ),
  bodyIncomplete: refusal(
    400,
    'The caller hung up before the whole body had arrived.',
    'The request ended before all of its body had arrived.',
  ),
  ...PATH_NOT_FOUND_REFUSALS,
  methodNotAllowed: refusal(
    405,
    'The path has other methods; `Allow` names them.',
    'The method is not supported here; use {methods}.',
    { methods: 'GET, HEAD' },
  ),
  misdirectedRequest: refusal(
    421,
    'A page was asked for at a host that is neither the one of `PUBLIC_URL` nor that of `PAGES_URL`.',
    'This server has no pages at this host. Its operator can set PUBLIC_URL to its address.',
  ),
  requestTimeout: refusal(
    408,
    'The request did not arrive in time.',
    'The request took too long to arrive.',
  ),
  chunkExtensionsTooLarge: refusal(
    413,
    'The chunk extensions of the body are too large.',
    'The request body is larger than allowed.',
  ),
  headersTooLarge: refusal(431, 'The headers are too large.', 'The request headers are too large.'),
  internalError: refusal(
    500,
    'Something failed outside all endpoints.',
    'Something went wrong on the server.',
  ),
  notReady: refusal(
    503,
    '`/readyz` only: the server starts or stops, or its database takes no writes.',
    'The service is not ready.',
  ),
};

/** Refusals of pages and their files; most are answered with an error page. */
export const PAGE_REFUSALS = {
  resourceMalformed: refusal(
    400,
    'The `resource` of WebFinger is missing or not a URI.',
    'resource must be a URI, for example acct:name@host.',
  ),
  pageNotFound: refusal(404, 'No page of this name is visible.', 'There is no such page.'),
  reportInvalid: refusal(
    400,
    'A report of a page has no reason, a text that is too long or an address that is none.',
    'The report is not complete.',
  ),
  domainUnknown: refusal(
    404,
    'A proxy asked about a domain that no account of the server has verified.',
    'The server has no such domain.',
  ),
  contactNotFound: refusal(
    404,
    'security.txt was asked for, and `ABUSE_CONTACT` is not set.',
    'There is no such page.',
  ),
  linkInvalid: refusal(
    404,
    'The mailed link was used, has expired or never existed.',
    'This link is no longer valid.',
  ),
  ...SIGN_ON_REFUSALS,
  assetNotFound: refusal(404, 'The dashboard has no such file.', 'There is no such file.'),
  pageRateLimited: refusal(
    429,
    'One address asked for too many missing pages in a minute.',
    'Too many requests for missing pages. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  reportRateLimited: refusal(
    429,
    'One network sent too many reports of pages in an hour, or of one page in a day.',
    'Too many reports came from your network. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
  bundleFailed: refusal(
    500,
    'The code of the dashboard could not be bundled.',
    'The dashboard could not be built. The server log says why.',
  ),
};
