import { listFormat } from '#contract/shared/intl-formats.ts';
import type { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import { CallError } from '#server/platform/outbound/errors.ts';
import type { Translator } from '#translations/translator.ts';

type FailureCode = keyof typeof SIGN_ON_REFUSALS &
  `signOn${'Unavailable' | 'Misconfigured' | 'Refused' | 'NotAllowed' | 'NeedsApplication' | 'NotMember' | 'NotRecent' | 'LogoutInvalid'}`;

export class SignOnError extends Error {
  override readonly name = 'SignOnError';
  readonly refusal: FailureCode;
  /** Names the claim if one is at fault, such as `nonce_missing`. */
  readonly code: string;
  /**
   * For the log: the issuer of the discovery document, the groups of the user with advice for the
   * operator, or the authentication methods that were tried.
   */
  readonly details: { issuer?: string; groups?: string[]; advice?: string; methods?: string[] };

  constructor(refusal: FailureCode, code: string, details: SignOnError['details'] = {}) {
    super(`the single sign-on failed: ${code}`);
    this.refusal = refusal;
    this.code = code;
    this.details = details;
  }
}

const BAD_ADDRESS = /^ENOTFOUND$|CERT|SSL|TLS|SIGNATURE/;
/** Keycloak says `unauthorized_client` for `invalid_client`. */
const BAD_CREDENTIALS = /^(?:(?:invalid|unauthorized)_client|OAUTH_WWW_AUTHENTICATE_CHALLENGE)$/;

export function isClientRejected({ code }: SignOnError): boolean {
  return BAD_CREDENTIALS.test(code);
}

/**
 * Keeps only the error code, because the library's messages and causes may contain authorization
 * codes and tokens. `refusal` is for errors in a response of the provider.
 */
export function toSignOnError(error: unknown, refusal: FailureCode, prefix = ''): SignOnError {
  if (error instanceof SignOnError) return error;
  const causes = causesOf(error);
  const { attribute, body } = (causes[0]?.cause ?? {}) as {
    attribute?: string;
    body?: { issuer: string };
  };
  if (attribute === 'issuer' && body)
    return new SignOnError(refusal, 'issuer_differs', { issuer: new URL(body.issuer).href });
  const code = prefix + codeOf(causes);
  if (BAD_ADDRESS.test(code) || BAD_CREDENTIALS.test(code))
    return new SignOnError('signOnMisconfigured', code);
  return new SignOnError(
    causes.some((cause) => cause instanceof CallError) ? 'signOnUnavailable' : refusal,
    code,
  );
}

/** Explains what `IdentityProvider.check` found. */
export function explainSignOnError(
  t: Translator,
  { code, refusal, details: { issuer, methods = [] } }: SignOnError,
  host: string,
): string {
  const values = { host, code, methods: listFormat(t.locale).format(methods) };
  if (issuer !== undefined)
    return t('The provider calls itself {issuer}: set OIDC_ISSUER to that.', { issuer });
  if (BAD_CREDENTIALS.test(code))
    return t(
      '{host} refuses OIDC_CLIENT_ID or OIDC_CLIENT_SECRET ({code}), sent by {methods}.',
      values,
    );
  if (code.startsWith('alg_'))
    return t('{host} signs with the client secret ({code}). Choose RS256 or ES256 there.', values);
  return refusal === 'signOnUnavailable'
    ? t('{host} cannot be reached ({code}).', values)
    : t('{host} is not a provider with a valid certificate ({code}). Check OIDC_ISSUER.', values);
}

/** Begins with the error itself. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** What the messages of the library name if it is missing or wrong. */
const FAULT =
  /"(alg|aud|auth_time|azp|exp|iat|iss|nbf|nonce|sub|id_token|access_token|token_type)"|JWS (alg)orithm|(signature)/;

function codeOf(causes: readonly Error[]): string {
  for (const cause of causes) {
    // The error code of the provider, such as `access_denied` or `invalid_client`.
    if ('error' in cause && typeof cause.error === 'string') return sanitizeCode(cause.error);
    if (cause instanceof CallError) return sanitizeCode(cause.code);
    const fault = FAULT.exec(cause.message)?.slice(1).find(Boolean);
    const { alg, header } = (cause.cause ?? {}) as { alg?: string; header?: { alg?: string } };
    if (fault === 'alg') return sanitizeCode(`alg_${alg ?? header?.alg}`);
    if (fault) return `${fault}_${cause.message.includes('missing') ? 'missing' : 'invalid'}`;
  }
  const [error] = causes;
  return error && 'code' in error ? sanitizeCode(String(error.code)) : 'UNKNOWN';
}

function sanitizeCode(code: string): string {
  return /^[\w.-]{1,64}$/.test(code) ? code : 'UNKNOWN';
}
