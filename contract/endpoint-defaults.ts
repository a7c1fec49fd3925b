import { field } from './fields.ts';
import { type Refusal, refusal } from './refusal.ts';
import {
  AUTHENTICATION_REFUSALS,
  AUTHORIZATION_REFUSALS,
  ANY_REQUEST_REFUSALS,
  JSON_BODY_REFUSALS,
  KEEPER_REFUSALS,
  ACCOUNT_REQUEST_REFUSALS,
  UPLOAD_REFUSALS,
  WRITE_REFUSALS,
  CROSS_SITE_REFUSALS,
  PATH_NOT_FOUND_REFUSALS,
} from './request-refusals.ts';
import { LIMITS } from './shared/limits.ts';
import { matchingText } from './text.ts';

const writeHeaders = {
  'idempotency-key': field(
    'idempotencyKeyInvalid',
    matchingText(
      new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.idempotencyKey}}$`),
      WRITE_REFUSALS.idempotencyKeyInvalid.message,
    )
      .optional()
      .meta({
        description:
          'A unique value of your choice, such as a UUID, that makes it safe to retry the request. For 24 hours, a retry of the operation with the same key and body returns the first response again, also a refusal such as 409, with the header `Idempotent-Replayed: true`, and changes nothing. After 429 or 5xx it runs again. With another body it gets 400.',
        minLength: 1,
        maxLength: LIMITS.idempotencyKey,
      }),
  ),
};

/** Endpoints that need an API key or a session. */
export const AUTHENTICATED_DEFAULTS = {
  access: 'write' as const,
  requestRefusals: {
    ...AUTHENTICATION_REFUSALS,
    ...AUTHORIZATION_REFUSALS,
    ...KEEPER_REFUSALS,
    ...ACCOUNT_REQUEST_REFUSALS,
  },
  writeRefusals: WRITE_REFUSALS,
  writeHeaders,
};

/** Endpoints for the login of a person, which nobody else may call. */
export const OWN_LOGIN_DEFAULTS = { ...AUTHENTICATED_DEFAULTS, actor: 'self' as const };

/** Endpoints for operators. Other callers get 404. */
export const OPERATOR_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  scope: 'operator' as const,
  requestRefusals: { ...AUTHENTICATED_DEFAULTS.requestRefusals, ...PATH_NOT_FOUND_REFUSALS },
};

const SITE_AUTHENTICATION_REFUSALS = Object.fromEntries(
  Object.entries(AUTHENTICATION_REFUSALS).map(([code, { status, when }]) => [
    code,
    refusal(status, `${when} (On \`/site/*\`.)`, 'Unauthorized'),
  ]),
) as Record<keyof typeof AUTHENTICATION_REFUSALS, Refusal<401, 'Unauthorized'>>;

/** Endpoints under `/site/`, whose 401 has its own message. */
export const SITE_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  requestRefusals: {
    ...SITE_AUTHENTICATION_REFUSALS,
    ...AUTHORIZATION_REFUSALS,
    ...KEEPER_REFUSALS,
    ...ACCOUNT_REQUEST_REFUSALS,
  },
};

/**
 * POST endpoints that only look something up. Repeating a request is harmless, so they take no
 * idempotency key.
 */
export const QUERY_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  access: 'read' as const,
  writeRefusals: { ...JSON_BODY_REFUSALS, ...CROSS_SITE_REFUSALS },
  writeHeaders: {},
};

/**
 * File uploads. Uploading the same file again has the same result, so they take no idempotency key.
 */
export const UPLOAD_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  access: 'upload' as const,
  writeRefusals: UPLOAD_REFUSALS,
  writeHeaders: {},
};

/** Login and sign-up endpoints, which need neither an API key nor a session. */
export const UNAUTHENTICATED_DEFAULTS = {
  access: 'none' as const,
  requestRefusals: ANY_REQUEST_REFUSALS,
  writeRefusals: { ...JSON_BODY_REFUSALS, ...CROSS_SITE_REFUSALS },
  writeHeaders: {},
};
