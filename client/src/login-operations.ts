// Generated from the contract: change it there and run `npm run generate`.

import type { APIPromise, Requester } from './api-promise.ts';
import type { RequestOptions } from './options.ts';

/** The operations of `login.session`. */
export class SessionOperations {
  readonly #client: Requester;

  /** Every call is sent by `client`. */
  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Log in: `POST /owner/session/create-session`.
   *
   * Begins a session and sets its cookie. A login link can be used once; a key only has to be valid. Only pages of this server can log in.
   *
   * The `code` of its errors is a `CreateSessionErrorCode`.
   *
   * @param body - A login link or an API key.
   * @param options - Settings of this call alone.
   * @returns Who is logged in, and how.
   * @throws {BadRequestError} 400: Neither was sent, or both were.
   * @throws {AuthenticationError} 401: The link was used, has expired or never existed; the key is not valid; or the account is suspended.
   * @throws {PermissionDeniedError} 403: The request came with the cookie of a session, or logs in, and is not from a page of this server: neither `Sec-Fetch-Site` nor `Origin` says so.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.session.createSession({ link: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA' });
   * ```
   */
  createSession(body: CreateSessionRequest, options?: RequestOptions): APIPromise<SessionResponse> {
    return this.#client.request('POST', '/owner/session/create-session', body, options);
  }

  /**
   * Ask for a login link by mail: `POST /owner/session/mail-login-link`.
   *
   * Mails a login link for each account whose confirmed address this is. The answer is the same whether there is one; an address gets a few an hour.
   *
   * The `code` of its errors is a `MailLoginLinkErrorCode`.
   *
   * @param body - Where to send a login link.
   * @param options - Settings of this call alone.
   * @returns The request succeeded.
   * @throws {BadRequestError} 400: No valid address was sent.
   * @throws {PermissionDeniedError} 403: The request came with the cookie of a session, or logs in, and is not from a page of this server: neither `Sec-Fetch-Site` nor `Origin` says so.
   * @throws {ConflictError} 409: The service sends no mail: `SMTP_URL` is not set.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many login links were requested from one network in ten minutes.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.session.mailLoginLink({ email: 'jane@example.com' });
   * ```
   */
  mailLoginLink(body: MailLoginLinkRequest, options?: RequestOptions): APIPromise<SuccessResponse> {
    return this.#client.request('POST', '/owner/session/mail-login-link', body, options);
  }
}

/** The operations of `login.passkeys`. */
export class PasskeysOperations {
  readonly #client: Requester;

  /** Every call is sent by `client`. */
  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Begin to log in with a passkey: `POST /owner/passkeys/begin-login`.
   *
   * Returns the options with which a browser asks for any passkey of this server.
   *
   * The `code` of its errors is a `BeginLoginErrorCode`.
   *
   * @param options - Settings of this call alone.
   * @returns Options to log in with a passkey. The challenge can be answered once, within five minutes.
   * @throws {BadRequestError} 400: A field is missing or not valid. The body is not JSON. The body is not UTF-8. A key is `__proto__`, or `constructor` with `prototype` in it. A number is too large. The nesting is too deep. The body holds more than 10,000 keys and values. A text holds NUL or half a surrogate pair. A value cannot be stored. The body is longer or shorter than announced.
   * @throws {PermissionDeniedError} 403: The request came with the cookie of a session, or logs in, and is not from a page of this server: neither `Sec-Fetch-Site` nor `Origin` says so.
   * @throws {ConflictError} 409: Browsers allow no passkeys at the address of this server.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.passkeys.beginLogin();
   * ```
   */
  beginLogin(options?: RequestOptions): APIPromise<PasskeyLoginOptions> {
    return this.#client.request('POST', '/owner/passkeys/begin-login', undefined, options);
  }

  /**
   * Log in with a passkey: `POST /owner/passkeys/log-in`.
   *
   * Begins a session and sets its cookie.
   *
   * The `code` of its errors is a `LogInErrorCode`.
   *
   * @param body - A passkey that proves who logs in.
   * @param options - Settings of this call alone.
   * @returns Who is logged in, and how.
   * @throws {BadRequestError} 400: The answer is missing or not valid.
   * @throws {AuthenticationError} 401: The passkey is unknown or too late, or its account is suspended.
   * @throws {PermissionDeniedError} 403: The request came with the cookie of a session, or logs in, and is not from a page of this server: neither `Sec-Fetch-Site` nor `Origin` says so.
   * @throws {ConflictError} 409: Browsers allow no passkeys at the address of this server.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.passkeys.logIn({
   *   answer: {
   *     id: 'q83vEjRWeJASNFZ4kBI0Vg',
   *     response: { clientDataJSON: 'eyJ0eXBlIjoi' }
   *   }
   * });
   * ```
   */
  logIn(body: PasskeyLoginRequest, options?: RequestOptions): APIPromise<SessionResponse> {
    return this.#client.request('POST', '/owner/passkeys/log-in', body, options);
  }
}

/** The operations of `login.invitations`. */
export class InvitationsOperations {
  readonly #client: Requester;

  /** Every call is sent by `client`. */
  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Create an account with an invitation: `POST /owner/invitations/accept-invitation`.
   *
   * Creates an account, logs in and sets the session cookie, where the service sends no mail; where it does, call `request-account` with the invitation. The invitation is used up, unless the name is refused. Create a passkey or an API key next: without one, only the operator can let you in again.
   *
   * The `code` of its errors is a `AcceptInvitationErrorCode`.
   *
   * @param body - An invitation and the new account.
   * @param options - Settings of this call alone.
   * @returns Who is logged in, and how.
   * @throws {BadRequestError} 400: No invitation was sent. The sanitized name is too short. The name has letters that a display name cannot have, or is too long.
   * @throws {AuthenticationError} 401: The invitation was used, has expired or never existed.
   * @throws {PermissionDeniedError} 403: Registration is closed (`REGISTRATION`).
   * @throws {ConflictError} 409: The service sends mail, so accounts start with an email address. The name is on the list of reserved names. Another account has the name.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.invitations.acceptInvitation({
   *   invitation: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA',
   *   display_name: 'Jane Doe'
   * });
   * ```
   */
  acceptInvitation(
    body: AcceptInvitationRequest,
    options?: RequestOptions,
  ): APIPromise<SessionResponse> {
    return this.#client.request('POST', '/owner/invitations/accept-invitation', body, options);
  }
}

/** The operations of `login.registration`. */
export class RegistrationOperations {
  readonly #client: Requester;

  /** Every call is sent by `client`. */
  constructor(client: Requester) {
    this.#client = client;
  }

  /**
   * Check whether a name is available: `POST /owner/registration/check-name`.
   *
   * Says whether a new account could have a display name now, and not why it could not. Names that resemble reserved ones are not suggested.
   *
   * The `code` of its errors is a `CheckNameErrorCode`.
   *
   * @param body - A display name that somebody would like.
   * @param options - Settings of this call alone.
   * @returns Whether a name can be claimed.
   * @throws {BadRequestError} 400: No name was sent. The sanitized name is too short. The name has letters that a display name cannot have, or is too long.
   * @throws {AuthenticationError} 401: The invitation was used, has expired or never existed.
   * @throws {PermissionDeniedError} 403: Registration is closed (`REGISTRATION`).
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many names were checked from one network in a minute.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.registration.checkName({
   *   display_name: 'Jane Doe',
   *   invitation: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'
   * });
   * ```
   */
  checkName(body: CheckNameRequest, options?: RequestOptions): APIPromise<CheckNameResponse> {
    return this.#client.request('POST', '/owner/registration/check-name', body, options);
  }

  /**
   * Ask for an account: `POST /owner/registration/request-account`.
   *
   * Mails a link that creates an account, once, within a day. An address that has an account gets a login link instead; the answer is the same. An address gets a few mails a day. Until the link is used, others can claim the name, and the invitation, if there is one, stays valid.
   *
   * The `code` of its errors is a `RequestAccountErrorCode`.
   *
   * @param body - A name, and the address of its owner.
   * @param options - Settings of this call alone.
   * @returns A mail is on its way.
   * @throws {BadRequestError} 400: No name was sent. The sanitized name is too short. The name has letters that a display name cannot have, or is too long. No valid address was sent. The domain of the address is of special use, or the operator refuses it.
   * @throws {AuthenticationError} 401: The invitation was used, has expired or never existed.
   * @throws {PermissionDeniedError} 403: Registration is closed (`REGISTRATION`).
   * @throws {ConflictError} 409: The name is reserved, taken or held back. The service sends no mail: `SMTP_URL` is not set.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many names were checked from one network in a minute. Too many accounts were asked for from one network in a day (`REGISTRATIONS_PER_DAY`). Five links were mailed for the invitation within a day.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server sent as many sign-up links, or confirmations of forwarding addresses, in this hour as `UNCONFIRMED_MAILS_PER_HOUR` allows.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.registration.requestAccount({
   *   display_name: 'Jane Doe',
   *   invitation: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA',
   *   email: 'jane@example.com'
   * });
   * ```
   */
  requestAccount(
    body: RequestAccountRequest,
    options?: RequestOptions,
  ): APIPromise<RequestAccountResponse> {
    return this.#client.request('POST', '/owner/registration/request-account', body, options);
  }

  /**
   * Create an account with a mailed link: `POST /owner/registration/create-account`.
   *
   * Creates an account with the name and the address of the link, logs in and sets the session cookie. The link is used up, unless the name is refused: then send another one.
   *
   * The `code` of its errors is a `CreateAccountErrorCode`.
   *
   * @param body - A mailed link and the name to claim.
   * @param options - Settings of this call alone.
   * @returns Who is logged in, and how.
   * @throws {BadRequestError} 400: No token was sent. No name was sent. The sanitized name is too short. The name has letters that a display name cannot have, or is too long.
   * @throws {AuthenticationError} 401: The link or its invitation was used, has expired or never existed.
   * @throws {PermissionDeniedError} 403: Registration is closed (`REGISTRATION`).
   * @throws {ConflictError} 409: The name is reserved, taken or held back.
   * @throws {PayloadTooLargeError} 413: The body holds more than 1 MiB.
   * @throws {UnsupportedMediaTypeError} 415: The body is not declared as JSON. The body is compressed.
   * @throws {RateLimitError} 429: Too many requests with invalid keys, links or cookies came from one network in a minute, or logins in ten.
   * @throws {InternalServerError} 500: The server or a service behind it failed.
   * @throws {InternalServerError} 503: The server is overloaded or stopping.
   * @throws {APIConnectionError} No answer: the connection failed or took too long.
   * @throws {APIAbortError} The signal of this call was aborted.
   * @example
   * ```ts
   * const answer = await login.registration.createAccount({
   *   registration: '2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA',
   *   display_name: 'Jane Doe'
   * });
   * ```
   */
  createAccount(body: CreateAccountRequest, options?: RequestOptions): APIPromise<SessionResponse> {
    return this.#client.request('POST', '/owner/registration/create-account', body, options);
  }
}

/** The names of the errors that many methods have in common. */
export type QueryErrorCode =
  | 'addressRateLimited'
  | 'overloaded'
  | 'validationFailed'
  | 'jsonMalformed'
  | 'notUtf8'
  | 'jsonKeyForbidden'
  | 'numberTooLarge'
  | 'nestingTooDeep'
  | 'tooManyMembers'
  | 'textUnsupported'
  | 'valueUnsupported'
  | 'bodyLengthMismatch'
  | 'bodyTooLarge'
  | 'contentTypeUnsupported'
  | 'contentEncodingUnsupported'
  | 'crossSiteRequest'
  | 'internalError';

/** The names of the errors of `login.session.createSession`; a newer server may have more. */
export type CreateSessionErrorCode = QueryErrorCode | 'credentialsMissing' | 'loginFailed';

/** The names of the errors of `login.session.mailLoginLink`; a newer server may have more. */
export type MailLoginLinkErrorCode =
  | QueryErrorCode
  | 'emailInvalid'
  | 'linkRateLimited'
  | 'mailUnavailable';

/** The names of the errors of `login.passkeys.beginLogin`; a newer server may have more. */
export type BeginLoginErrorCode = QueryErrorCode | 'passkeysUnavailable';

/** The names of the errors of `login.passkeys.logIn`; a newer server may have more. */
export type LogInErrorCode =
  | QueryErrorCode
  | 'answerInvalid'
  | 'passkeysUnavailable'
  | 'passkeyLoginFailed';

/** The names of the errors of `login.invitations.acceptInvitation`; a newer server may have more. */
export type AcceptInvitationErrorCode =
  | QueryErrorCode
  | 'invitationMissing'
  | 'registrationClosed'
  | 'invitationInvalid'
  | 'invitationNeedsEmail'
  | 'displayNameTooShort'
  | 'displayNameInvalid'
  | 'displayNameReserved'
  | 'displayNameTaken';

/** The names of the errors of `login.registration.checkName`; a newer server may have more. */
export type CheckNameErrorCode =
  | QueryErrorCode
  | 'nameMissing'
  | 'registrationClosed'
  | 'invitationInvalid'
  | 'displayNameTooShort'
  | 'displayNameInvalid'
  | 'nameCheckRateLimited';

/** The names of the errors of `login.registration.requestAccount`; a newer server may have more. */
export type RequestAccountErrorCode =
  | QueryErrorCode
  | 'nameMissing'
  | 'registrationClosed'
  | 'invitationInvalid'
  | 'displayNameTooShort'
  | 'displayNameInvalid'
  | 'nameUnavailable'
  | 'nameCheckRateLimited'
  | 'registrationRateLimited'
  | 'mailLimitReached'
  | 'invitationLinksUsedUp'
  | 'signUpEmailInvalid'
  | 'emailDomainRefused'
  | 'mailUnavailable';

/** The names of the errors of `login.registration.createAccount`; a newer server may have more. */
export type CreateAccountErrorCode =
  | QueryErrorCode
  | 'registrationMissing'
  | 'nameMissing'
  | 'registrationClosed'
  | 'registrationInvalid'
  | 'displayNameTooShort'
  | 'displayNameInvalid'
  | 'nameUnavailable';

/** A login link or an API key. */
export interface CreateSessionRequest {
  /**
   * The token of a login link: the part after the #. It works once.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'`
   *
   * Refused with 400: "Send either link, the token of a login link, or apiKey."
   */
  link?: string | undefined;
  /**
   * An API key of the account. The session ends when the key is revoked.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'np_your.key'`
   *
   * Refused with 400: "apiKey must be an API key."
   */
  apiKey?: string | undefined;
}

/** Who is logged in, and how. */
export interface SessionResponse {
  /**
   * The id of the account.
   *
   * Limits: at most 36 characters; format uuid.
   *
   * Example: `'0b7e5c1e-0f4e-4d53-9f0f-3d1c2b5a6e77'`
   */
  account_id: string;
  /**
   * The id of the API key that this request came with, or by which its session was begun; null if there is none.
   *
   * Limits: at most 67 characters; matches `^np_[A-Za-z0-9]+$`.
   *
   * Example: `null`
   */
  key_id: string | null;
  /** The session of this request. Null if it has an API key. */
  session: Session | null;
  /**
   * Whether the login is recent. `fresh`: an API key, or a session that began within the last 60 minutes (for single sign-on, the provider checked the user in that time). `stale`: an older session, which cannot do what needs a recent login.
   *
   * Example: `'fresh'`
   */
  proof: 'fresh' | 'stale' | (string & {});
}

/** A login from a browser. */
export interface Session {
  /**
   * The id of the session, which is no secret.
   *
   * Limits: at most 36 characters; format uuid.
   *
   * Example: `'6f1d0c52-4b0a-4a36-8f55-0f8a3c1c9f10'`
   */
  id: string;
  /**
   * How it was begun: by a login link, an API key, a passkey or single sign-on (`oidc`).
   *
   * Example: `'link'`
   */
  via: 'link' | 'key' | 'passkey' | 'oidc' | (string & {});
  /**
   * The id of the API key by which it was begun and with which it ends, or null.
   *
   * Limits: at most 67 characters; matches `^np_[A-Za-z0-9]+$`.
   *
   * Example: `null`
   */
  key_id: string | null;
  /**
   * The user agent of the browser when the session began.
   *
   * Limits: at most 300 characters.
   *
   * Example: `'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'`
   */
  agent: string | null;
  /**
   * When it began (ISO 8601, UTC).
   *
   * Limits: at most 30 characters; format date-time.
   *
   * Example: `'2026-01-31T09:30:00.000Z'`
   */
  created_at: string;
  /**
   * When it was last used, to the minute (ISO 8601, UTC).
   *
   * Limits: at most 30 characters; format date-time.
   *
   * Example: `'2026-01-31T10:12:00.000Z'`
   */
  last_seen_at: string;
  /**
   * When it ends: 14 days after it was last used, and at the latest 90 days after it began (ISO 8601, UTC).
   *
   * Limits: at most 30 characters; format date-time.
   *
   * Example: `'2026-02-14T10:12:00.000Z'`
   */
  ends_at: string;
  /**
   * Whether this request came with it.
   *
   * Example: `true`
   */
  current: boolean;
}

/** Where to send a login link. */
export interface MailLoginLinkRequest {
  /**
   * Your confirmed address: the one that mail is forwarded to, else the one that you signed up with.
   *
   * Limits: at most 254 characters.
   *
   * Example: `'jane@example.com'`
   *
   * Refused with 400: "email must be an email address."
   */
  email: string;
}

/** The request succeeded. */
export interface SuccessResponse {
  /** Always true. */
  success: true;
}

/** Options to log in with a passkey. The challenge can be answered once, within five minutes. */
export interface PasskeyLoginOptions {
  /**
   * The options to parse with `PublicKeyCredential.parseRequestOptionsFromJSON` and pass to the browser.
   *
   * Example: `{ challenge: 'gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA' }`
   */
  options: {
    /**
     * Random bytes that the answer must sign.
     *
     * Limits: at most 1,400 characters.
     *
     * Example: `'gM2Wc1i2eWcR0b8xk6uE8nJ0Q3uYkq3hVv9c3m9E4tA'`
     */
    challenge: string;
    [key: string]: unknown;
  };
}

/** A passkey that proves who logs in. */
export interface PasskeyLoginRequest {
  /**
 * The browser's answer to the options: the `toJSON()` of its credential.
 *
 * Example: `{
  id: 'q83vEjRWeJASNFZ4kBI0Vg',
  response: { clientDataJSON: 'eyJ0eXBlIjoi' }
}`
 *
 * Refused with 400: "answer must be the answer of the browser to the options, as JSON."
 */
  answer: {
    /**
     * The id of the passkey.
     *
     * Limits: at most 1,400 characters.
     *
     * Refused with 400: "… must be a string of at most 1,400 characters."
     */
    id: string;
    /**
     * The signed answer of the passkey.
     *
     * Refused with 400: "… must be an object."
     */
    response: {
      /**
       * The challenge and the page that requested it.
       *
       * Limits: at most 8,192 characters.
       *
       * Refused with 400: "… must be a string of at most 8,192 characters."
       */
      clientDataJSON: string;
      [key: string]: unknown;
    };
    [key: string]: unknown;
  };
}

/** An invitation and the new account. */
export interface AcceptInvitationRequest {
  /**
   * The token of the invitation: the part of its link after the #.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'`
   *
   * Refused with 400: "invitation must be the token of an invitation."
   */
  invitation: string;
  /**
   * The display name to claim, by the rules of `update-display-name`. Optional.
   *
   * Limits: at most 1,000 characters.
   *
   * Example: `'Jane Doe'`
   *
   * Refused with 400: "display_name must be a string, or null."
   */
  display_name?: string | null | undefined;
}

/** A display name that somebody would like. */
export interface CheckNameRequest {
  /**
   * The display name to claim, by the rules of `update-display-name`.
   *
   * Limits: at most 1,000 characters.
   *
   * Example: `'Jane Doe'`
   *
   * Refused with 400: "display_name must be a string."
   */
  display_name: string;
  /**
   * The token of an invitation, without which registration may be closed.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'`
   *
   * Refused with 400: "invitation must be the token of an invitation."
   */
  invitation?: string | undefined;
}

/** Whether a name can be claimed. */
export interface CheckNameResponse {
  /**
   * The name as it would be: sanitized.
   *
   * Limits: at most 63 characters.
   *
   * Example: `'jane-doe'`
   */
  display_name: string;
  /**
   * Whether it can be claimed now. This does not reserve the name.
   *
   * Example: `false`
   */
  available: boolean;
  /**
   * Similar names that are available, if this one is not.
   *
   * Limits: at most 3 items.
   *
   * Example: `[ 'its-jane-doe', 'jane-doe-online' ]`
   */
  suggestions: string[];
}

/** A name, and the address of its owner. */
export interface RequestAccountRequest {
  /**
   * The display name to claim, by the rules of `update-display-name`.
   *
   * Limits: at most 1,000 characters.
   *
   * Example: `'Jane Doe'`
   *
   * Refused with 400: "display_name must be a string."
   */
  display_name: string;
  /**
   * The token of an invitation, without which registration may be closed.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'`
   *
   * Refused with 400: "invitation must be the token of an invitation."
   */
  invitation?: string | undefined;
  /**
   * The address of the owner, which gets the link.
   *
   * Limits: at most 254 characters.
   *
   * Example: `'jane@example.com'`
   *
   * Refused with 400: "email must be one plain email address of at most 254 characters."
   */
  email: string;
}

/** A mail is on its way. */
export interface RequestAccountResponse {
  /** Always true. */
  success: true;
}

/** A mailed link and the name to claim. */
export interface CreateAccountRequest {
  /**
   * The token of the mailed link: the part between its # and its /.
   *
   * Limits: at most 100 characters.
   *
   * Example: `'2zJyBvV6bTn0mVg1pX4kz6Yc0wQe8rTqXl3sHdUj9aA'`
   *
   * Refused with 400: "registration must be the token of a mailed link."
   */
  registration: string;
  /**
   * The display name to claim, by the rules of `update-display-name`.
   *
   * Limits: at most 1,000 characters.
   *
   * Example: `'Jane Doe'`
   *
   * Refused with 400: "display_name must be a string."
   */
  display_name: string;
}

/** All operations of this file, by area. */
export class Login {
  /** The operations of `login.session`. */
  readonly session: SessionOperations;
  /** The operations of `login.passkeys`. */
  readonly passkeys: PasskeysOperations;
  /** The operations of `login.invitations`. */
  readonly invitations: InvitationsOperations;
  /** The operations of `login.registration`. */
  readonly registration: RegistrationOperations;

  /** Every call is sent by `client`. */
  constructor(client: Requester) {
    this.session = new SessionOperations(client);
    this.passkeys = new PasskeysOperations(client);
    this.invitations = new InvitationsOperations(client);
    this.registration = new RegistrationOperations(client);
  }
}
