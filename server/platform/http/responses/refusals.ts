import { refusal } from '#contract/refusal.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';

/**
 * For requests that reach no endpoint, for example because the HTTP parser refuses them or the path
 * is unknown, and for MCP messages.
 */
export const NON_ENDPOINT_REFUSALS = {
  urlInvalid: refusal(
    400,
    'The URL cannot be parsed. Percent-encode other characters than letters, digits and `-_.~` in values.',
    'The URL is not valid.',
  ),
  requestInvalid: refusal(400, 'The request cannot be routed.', 'The request is not valid.'),
  requestMalformed: refusal(400, 'The request is not HTTP.', 'The request is malformed.'),
  messageInvalid: refusal(
    400,
    'A message to `/mcp` does not follow the MCP protocol. The body is a JSON-RPC error.',
    'The request body must be one JSON-RPC message.',
  ),
  messageUnknown: refusal(
    404,
    'A message to `/mcp` has an unsupported method. The body is a JSON-RPC error.',
    'The method is not supported.',
  ),
  toolsUnknown: refusal(
    400,
    'The address `/mcp?tools=` names tools that do not exist. The body is a JSON-RPC error.',
    'There are no tools called {names}.{suggestion} tools takes names of tools, all, and these areas: {areas}.',
    { names: 'keyz', suggestion: ' Did you mean keys?', areas: 'keys, alerts' },
  ),
  hostInvalid: refusal(
    400,
    'The Host header is missing, repeated or not valid, or differs from the host in the URL.',
    'The Host header is not valid.',
  ),
  methodOverridden: refusal(
    400,
    'The header `X-HTTP-Method-Override`, `X-HTTP-Method` or `X-Method-Override` names another method than the request has. Send the request with that method.',
    'The header {header} names another method. Nothing was done: send the request with that method.',
    { header: 'x-http-method-override' },
  ),
  bodyIncomplete: refusal(
    400,
    'The client disconnected before the whole body arrived.',
    'The request ended before all of its body had arrived.',
  ),
  ...PATH_NOT_FOUND_REFUSALS,
  methodNotAllowed: refusal(
    405,
    'The path supports other methods; the `Allow` header lists them.',
    'The method is not supported here; use {methods}.',
    { methods: 'GET, HEAD' },
  ),
  misdirectedRequest: refusal(
    421,
    'A page was requested at a host that is neither the host of `PUBLIC_URL` nor that of `PAGES_URL`.',
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
    'The chunk extensions of the request body are too large.',
  ),
  headersTooLarge: refusal(
    431,
    'The headers are too large. Send fewer or shorter ones.',
    'The request headers are too large.',
  ),
  internalError: refusal(
    500,
    'Something failed outside the endpoints.',
    'Something went wrong on the server.',
  ),
  notReady: refusal(
    503,
    'Outside the endpoints, such as `/readyz` and pages: the server is starting or stopping, or its database does not accept writes, or cannot be reached.',
    'The service is not ready.',
  ),
};

export const PAGE_REFUSALS = {
  resourceMalformed: refusal(
    400,
    'The `resource` of WebFinger is missing or not a URI.',
    'resource must be a URI, for example acct:name@host.',
  ),
  pageNotFound: refusal(404, 'No page of this name is visible.', 'There is no such page.'),
  reportInvalid: refusal(
    400,
    'A page report has no reason, a text that is too long, or an invalid email address.',
    'The report is not complete.',
  ),
  messageInvalid: refusal(
    400,
    'A message of a contact form is empty or too long, or has no valid email address.',
    'The message is not complete.',
  ),
  domainUnknown: refusal(
    404,
    'A proxy asked for a domain that no account has verified.',
    'The server has no such domain.',
  ),
  contactNotFound: refusal(
    404,
    'There is no security.txt, because `ABUSE_CONTACT` is not set.',
    'There is no such page.',
  ),
  linkInvalid: refusal(
    404,
    'The mailed link was used, has expired or never existed.',
    'This link is no longer valid.',
  ),
  featureOff: refusal(
    404,
    'A mailed link leads to a feature that this server no longer has.',
    'This server no longer offers this.',
  ),
  ...SIGN_ON_REFUSALS,
  assetNotFound: refusal(404, 'The dashboard has no such file.', 'There is no such file.'),
  pageRateLimited: refusal(
    429,
    'One network requested too many missing pages in a minute.',
    'Too many requests for missing pages. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  reportRateLimited: refusal(
    429,
    'One network sent too many page reports in an hour, or too many about one page in a day.',
    'This report was not sent, because your network has sent many. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
  messageRateLimited: refusal(
    429,
    'One network sent too many messages in an hour, or too many to one page in a day, or a page got too many in an hour.',
    'Too many messages were sent. Try again in {wait}.',
    { wait: '20 minutes' },
  ),
  bundleFailed: refusal(
    500,
    'The code of the dashboard could not be bundled.',
    'The dashboard could not be built. The server log says why.',
  ),
};
