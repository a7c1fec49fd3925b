import { LIMITS } from './limits.ts';
import { invalidField, refusal } from './refusal.ts';

/** Refusals of every request, also of one that needs no key. */
export const SERVER_REFUSALS = {
  addressRateLimited: refusal(
    429,
    'Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.',
    'Too many requests without a valid key. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  overloaded: refusal(
    503,
    'The server is overloaded or stopping.',
    'The service is overloaded; try again in a moment.',
  ),
};

/** Requests for login links by mail, whose answers tell nothing else. */
export const LOGIN_LINK_REFUSALS = {
  linkRateLimited: refusal(
    429,
    'Too many login links were requested from one network in ten minutes.',
    'Too many login links were requested from your network. Try again in {wait}.',
    { wait: '8 minutes' },
  ),
};

/** Limits of sign-ups, for each network. */
export const SIGN_UP_RATE_REFUSALS = {
  nameCheckRateLimited: refusal(
    429,
    'Too many names were checked from one network in a minute.',
    'Too many names were checked from your network. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  registrationRateLimited: refusal(
    429,
    'Too many accounts were asked for from one network in a day (`REGISTRATIONS_PER_DAY`).',
    'Too many accounts were asked for from your network today. Try again in {wait}.',
    { wait: '9 hours' },
  ),
};

/** Refusal of mail to an address that nobody has confirmed. */
export const UNCONFIRMED_MAIL_REFUSALS = {
  mailLimitReached: refusal(
    503,
    'The server sent as many sign-up links, or confirmations of forwarding addresses, in this hour as `UNCONFIRMED_MAILS_PER_HOUR` allows.',
    'This server cannot mail new addresses now: too many people asked for it within the hour. Try again in {wait}.',
    { wait: '25 minutes' },
  ),
};

/** Refusals of every request while there is no room for it. */
export const RATE_LIMIT_REFUSALS = {
  rateLimited: refusal(
    429,
    'The account exceeded `RATE_LIMIT_PER_MINUTE` (off by default).',
    'Too many requests from this account. Try again in {wait}.',
    { wait: '20 seconds' },
  ),
  ...SERVER_REFUSALS,
};

/** Refusals of every request with a valid key. */
export const AUTHORIZATION_REFUSALS = {
  accountSuspended: refusal(
    403,
    'The operator has suspended the account.',
    'This account is suspended. Ask the operator of the service.',
  ),
  insufficientScope: refusal(
    403,
    'The scope of the key does not allow this.',
    'This key may not do that: its scope is {scope}.',
    { scope: 'read' },
  ),
};

/** Refusal of a path that is no endpoint, or none for the caller. */
export const PATH_NOT_FOUND_REFUSALS = {
  pathNotFound: refusal(
    404,
    'No endpoint has the path; or it is for operators, and the account is not one.',
    'There is nothing at this path. See /docs and /openapi.json.',
  ),
};

/** Refusals of everything that a browser could be made to send from another site. */
export const CROSS_SITE_REFUSALS = {
  crossSiteRequest: refusal(
    403,
    'The request came with the cookie of a session, or logs in, and is not from a page of this server: neither `Sec-Fetch-Site` nor `Origin` says so.',
    'This request did not come from a page of this server; reload the page and try again.',
  ),
};

/** Refusals of every body, before anything is done. */
export const JSON_BODY_REFUSALS = {
  validationFailed: refusal(400, 'A field is missing or not valid.', '{problem}', {
    problem: 'blocks.0.type must be 1 to 32 of a-z, 0-9, _ and -.',
  }),
  jsonMalformed: refusal(400, 'The body is not JSON.', 'The request body is not valid JSON.'),
  notUtf8: refusal(400, 'The body is not UTF-8.', 'The request body is not valid UTF-8.'),
  jsonKeyForbidden: refusal(
    400,
    'A key is `__proto__`, or `constructor` with `prototype` in it.',
    'The request body holds a key that is not allowed: __proto__ or constructor.prototype.',
  ),
  numberTooLarge: refusal(
    400,
    'A number is too large.',
    'The request body holds a number that is too large.',
  ),
  nestingTooDeep: refusal(
    400,
    'The nesting is too deep.',
    `The request body is nested more than ${LIMITS.jsonDepth} levels deep.`,
  ),
  tooManyMembers: refusal(
    400,
    'The body holds more than 10,000 keys and values.',
    'The request body holds more than 10,000 keys and values.',
  ),
  textUnsupported: refusal(
    400,
    'A text holds NUL or half a surrogate pair.',
    'The request body holds text that cannot be stored (NUL or half a surrogate pair).',
  ),
  valueUnsupported: refusal(
    400,
    'A value cannot be stored.',
    'The request holds a value that cannot be stored.',
  ),
  bodyLengthMismatch: refusal(
    400,
    'The body is longer or shorter than announced.',
    'The request body does not match its Content-Length.',
  ),
  bodyTooLarge: refusal(
    413,
    'The body holds more than 1 MiB.',
    'The request body is larger than 1 MiB.',
  ),
  contentTypeUnsupported: refusal(
    415,
    'The body is not declared as JSON.',
    'The Content-Type must be application/json.',
  ),
  contentEncodingUnsupported: refusal(
    415,
    'The body is compressed.',
    'The request body must not be compressed.',
  ),
};

/** Refusals of every write, before it is done. */
export const WRITE_REFUSALS = {
  ...JSON_BODY_REFUSALS,
  ...CROSS_SITE_REFUSALS,
  idempotencyKeyInvalid: invalidField(
    'idempotency-key',
    'The Idempotency-Key is not valid.',
    `The Idempotency-Key must be 1 to ${LIMITS.idempotencyKey} visible ASCII characters.`,
  ),
  idempotencyKeyReused: refusal(
    400,
    'The Idempotency-Key was sent before, with another body.',
    'The Idempotency-Key was used before with another request body.',
  ),
  storedAnswerLimitReached: refusal(
    429,
    'The account reached its limit of stored answers to Idempotency-Keys.',
    'This account has reached its limit of stored answers. Try again in {wait}, or send the request without an Idempotency-Key.',
    { wait: '5 hours' },
  ),
};

/** Refusals of every body that is a file, before it is read to its end. */
export const UPLOAD_REFUSALS = {
  bodyLengthMismatch: JSON_BODY_REFUSALS.bodyLengthMismatch,
  contentEncodingUnsupported: JSON_BODY_REFUSALS.contentEncodingUnsupported,
  ...CROSS_SITE_REFUSALS,
};

/** Refusals of writes that pass numbers on untouched. */
export const EXACT_INTEGER_REFUSALS = {
  integerInexact: refusal(
    400,
    'An integer has more digits than a 64-bit floating point number holds.',
    '{path} must be an integer that a 64-bit floating point number holds exactly: send it as a string.',
    { path: 'payload.allowed_mentions.users.0' },
  ),
};

/** Refusals of a repeated write whose effect lies outside the database. */
export const EXTERNAL_WRITE_REFUSALS = {
  requestInterrupted: refusal(
    500,
    'An earlier request with this Idempotency-Key was interrupted: whether it took effect is unknown.',
    'An earlier request with this Idempotency-Key was interrupted, so the message may have been sent. Check the channel before you send it with a new key.',
  ),
};
