import { RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { forField, refusal } from './refusal.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';

const BODY_LIMITS = `${LIMITS.bodyBytes / 1_048_576} MiB (${LIMITS.unauthenticatedBodyBytes / 1_024} KiB for login and sign-up)`;

/** Refusals that any request can get, with or without an API key. */
export const ANY_REQUEST_REFUSALS = {
  addressRateLimited: refusal(
    429,
    'One network sent too many invalid keys, links or cookies within a minute, or too many logins within ten minutes.',
    'Too many requests without a valid key. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  overloaded: refusal(
    503,
    'The server is overloaded or shutting down.',
    'The service is overloaded. Try again in a moment.',
  ),
};

export const LOGIN_LINK_REFUSALS = {
  linkRateLimited: refusal(
    429,
    'Too many login links were requested from one network in ten minutes.',
    'Too many login links were requested from your network. Try again in {wait}.',
    { wait: '8 minutes' },
  ),
};

/** Sign-up limits per network. */
export const SIGN_UP_RATE_REFUSALS = {
  nameCheckRateLimited: refusal(
    429,
    'Too many names were checked from one network in a minute.',
    'Too many names were checked from your network. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  registrationRateLimited: refusal(
    429,
    'One network requested too many accounts within a day (`REGISTRATIONS_PER_DAY`).',
    'Too many accounts were requested from your network today. Try again in {wait}.',
    { wait: '9 hours' },
  ),
};

/** For endpoints that send an email to an unconfirmed address. */
export const UNCONFIRMED_ADDRESS_REFUSALS = {
  mailLimitReached: refusal(
    503,
    'The server reached its hourly limit (`UNCONFIRMED_MAILS_PER_HOUR`) of sign-up links, invitation links or confirmations of forwarding addresses, or one group link used its share of it. Or the address got five confirmations within an hour.',
    'This server has reached its hourly limit of mails to new addresses. Try again in {wait}.',
    { wait: '25 minutes' },
  ),
};

/** The account's rate limit, plus `ANY_REQUEST_REFUSALS`. */
export const ACCOUNT_REQUEST_REFUSALS = {
  rateLimited: refusal(
    429,
    'The account exceeded `RATE_LIMIT_PER_MINUTE` (off by default).',
    'Too many requests from this account. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  ...ANY_REQUEST_REFUSALS,
};

export const EMAIL_DOMAIN_REFUSALS = {
  emailDomainRefused: forField(
    'email',
    refusal(
      400,
      'The domain of the address is special-use, such as `internal` or `example`, belongs to this server, or is excluded by its operator.',
      '{problem}',
      { problem: 'Addresses that end in .internal do not exist on the internet.' },
    ),
  ),
};

const KEY_REQUIRED = 'a valid key in the X-API-KEY header (or a login) is required.';

/** The 401 of requests without a valid API key or session. */
export const AUTHENTICATION_REFUSALS = {
  apiKeyMissing: refusal(
    401,
    'The request has no API key and no session.',
    `The API key is missing: ${KEY_REQUIRED}`,
  ),
  apiKeyMalformed: refusal(
    401,
    'The API key is mistyped or incomplete.',
    `The API key is mistyped or incomplete: ${KEY_REQUIRED}`,
  ),
  apiKeysDiffer: refusal(
    401,
    'The headers `X-API-KEY` and `Authorization` have different API keys.',
    'The headers X-API-KEY and Authorization have different API keys: send only one.',
  ),
  bearerMissing: refusal(
    401,
    'The header `Authorization` has an API key without `Bearer` before it.',
    'The header Authorization needs the word Bearer before the API key.',
  ),
  apiKeyExpired: refusal(
    401,
    'The API key has expired. Create another one with `createKey`, or in the dashboard.',
    `The API key has expired: ${KEY_REQUIRED}`,
  ),
  apiKeyRevoked: refusal(
    401,
    'The API key was revoked. Create another one with `createKey`, or in the dashboard.',
    `The API key was revoked: ${KEY_REQUIRED}`,
  ),
  unauthorized: refusal(
    401,
    'The API key is unknown, its secret is wrong, or the session has ended. Copy the whole key, create another one, or log in again.',
    `The API key or login is not valid: ${KEY_REQUIRED}`,
  ),
};

export const AUTHORIZATION_REFUSALS = {
  accountSuspended: refusal(
    403,
    'The operator has suspended the account.',
    'This account is suspended. Ask the operator of the service.',
  ),
  insufficientScope: refusal(
    403,
    'The scope of the key does not include this endpoint. Use a key with the scope that the endpoint names (`x-scope`), or allow the connected app more.',
    'This key may not do that: its scope is {scope}, not {required}.',
    { scope: 'read', required: 'all' },
  ),
};

/** What connected apps read instead, because they have neither a session nor a key. */
export const APP_REFUSALS = {
  insufficientScope: refusal(
    403,
    AUTHORIZATION_REFUSALS.insufficientScope.when,
    'This app may not do that: connect it again and allow more.',
  ),
  reauthenticationRequired: refusal(
    403,
    RECENT_LOGIN_REFUSALS.reauthenticationRequired.when,
    'Connected apps cannot do this: use the dashboard or a key.',
  ),
};

/** For requests that act for another account, with the header `Nameplate-Account` or a keeper's key. */
export const KEEPER_REFUSALS = {
  accountNotKept: refusal(
    403,
    'The account of the header `Nameplate-Account` is not the one of the key, or the person of the session does not keep it (any more), or it is suspended. Or the keeper who made the key is suspended.',
    'You do not keep this account, or no longer.',
  ),
};

export const OWNER_ONLY_REFUSALS = {
  ownerOnly: refusal(
    403,
    'A keeper called an operation that only the owner of the account may call.',
    'Only the owner of this account may do that.',
  ),
};

export const PATH_NOT_FOUND_REFUSALS = {
  pathNotFound: refusal(
    404,
    'No endpoint has this path, or it is for operators and the account is not an operator.',
    'There is nothing at this path. See /docs and /openapi.json.',
  ),
};

/** Protects against cross-site request forgery (CSRF). */
export const CROSS_SITE_REFUSALS = {
  crossSiteRequest: refusal(
    403,
    'The request uses a session cookie or logs in, but neither `Sec-Fetch-Site` nor `Origin` shows that it came from a page of this server. Programs send an API key instead, and to log in the header `Origin` with the URL of the server.',
    'This request did not come from a page of this server. Reload the page and try again. Programs send an API key, or the header Origin with the URL of the server.',
  ),
};

/** Refusals that any JSON body can get before the handler runs. */
export const JSON_BODY_REFUSALS = {
  validationFailed: refusal(
    400,
    'A field, or a value inside it, is missing or not valid. The message names the field and its rule, and `X-Error-Field` has its path.',
    '{problem}',
    { problem: 'blocks.0.type must be 1 to 32 of a-z, 0-9, _ and -.' },
  ),
  jsonMalformed: refusal(
    400,
    'The body is not valid JSON.',
    'The request body is not valid JSON: {problem}.',
    { problem: "Expected ',' or '}' after property value (line 1 column 17)" },
  ),
  notUtf8: refusal(400, 'The body is not valid UTF-8.', 'The request body is not valid UTF-8.'),
  jsonKeyForbidden: refusal(
    400,
    'An object has the key `__proto__`, or `constructor` with a key `prototype`.',
    'The request body contains a key that is not allowed: __proto__ or constructor.prototype.',
  ),
  numberTooLarge: refusal(
    400,
    'A number exceeds the range of a 64-bit floating point number. Send it as a string.',
    '{field} is beyond the range of 64-bit floating point. Send it as a string.',
    { field: 'payload.size' },
  ),
  integerTooLarge: refusal(
    400,
    'An integer beyond ±(2^53 - 1) would be rounded. Of these, only those are kept that 64-bit floating point holds exactly, such as 100000000000000000000. Numbers with a fraction or an exponent are 64-bit floating point.',
    '{field} is an integer beyond ±(2^53 - 1) that would be rounded. Send it as a string.',
    { field: 'payload.id' },
  ),
  nestingTooDeep: refusal(
    400,
    `The body is nested more than ${LIMITS.jsonDepth} levels deep.`,
    `The request body is nested more than ${LIMITS.jsonDepth} levels deep.`,
  ),
  tooManyMembers: refusal(
    400,
    `The body contains more than ${formatLimit(LIMITS.jsonMembers)} keys and values.`,
    `The request body contains more than ${formatLimit(LIMITS.jsonMembers)} keys and values.`,
  ),
  textUnsupported: refusal(
    400,
    'A string contains NUL or an unpaired surrogate.',
    '{field} is text that cannot be stored (NUL or an unpaired surrogate).',
    { field: 'payload.name' },
  ),
  valueUnsupported: refusal(
    400,
    'A value cannot be stored.',
    'The request contains a value that cannot be stored.',
  ),
  bodyLengthMismatch: refusal(
    400,
    'The length of the body in bytes differs from its `Content-Length`. Let the HTTP client set that header.',
    'The request body does not match its Content-Length.',
  ),
  bodyTooLarge: refusal(
    413,
    `The body is larger than ${BODY_LIMITS}.`,
    'The request body is larger than {limit}.',
    { limit: '1 MiB' },
  ),
  contentTypeUnsupported: refusal(
    415,
    'The `Content-Type` is not `application/json`.',
    'The Content-Type must be application/json.',
  ),
  contentEncodingUnsupported: refusal(
    415,
    'The body is compressed.',
    'The request body must not be compressed.',
  ),
};

/** For endpoints that delete or end something, return a secret, or query metrics. */
export const UNKNOWN_FIELD_REFUSALS = {
  unknownField: refusal(
    400,
    'The body or the query has an unknown field. Only operations that delete or end something, hand out a secret, or query metrics, refuse those: a misspelled filter would delete or count too much, a misspelled scope allow too much.',
    '{field} is not a field of this operation, so nothing was changed.{suggestion}',
    { field: 'untill', suggestion: ' Did you mean until?' },
  ),
};

/** Refusals that any write can get before the handler runs. */
export const WRITE_REFUSALS = {
  ...JSON_BODY_REFUSALS,
  ...CROSS_SITE_REFUSALS,
  idempotencyKeyInvalid: forField(
    'idempotency-key',
    refusal(
      400,
      'The Idempotency-Key is not valid.',
      `The Idempotency-Key must be 1 to ${LIMITS.idempotencyKey} visible ASCII characters.`,
    ),
  ),
  idempotencyKeyReused: refusal(
    400,
    'The Idempotency-Key was used before with a different body. Make a new one for each write, and keep it for the retries of that write.',
    'The Idempotency-Key was used before with a different request body.',
  ),
  storedResponseLimitReached: refusal(
    429,
    'The account reached its limit of responses stored for Idempotency-Keys.',
    'This account has reached its limit of stored responses. Try again in {wait}, or send the request without an Idempotency-Key.',
    { wait: '5 hours' },
  ),
};

/** Refusals that any file upload can get before its body is fully read. */
export const UPLOAD_REFUSALS = {
  bodyLengthMismatch: JSON_BODY_REFUSALS.bodyLengthMismatch,
  contentEncodingUnsupported: JSON_BODY_REFUSALS.contentEncodingUnsupported,
  ...CROSS_SITE_REFUSALS,
};

/** For writes with an effect outside the database. */
export const EXTERNAL_WRITE_REFUSALS = {
  requestInterrupted: refusal(
    500,
    'An earlier request with this Idempotency-Key was interrupted, so it may have taken effect.',
    'An earlier request with this Idempotency-Key was interrupted, so the message may have been sent. Check the channel before you send it with a new key.',
  ),
};
