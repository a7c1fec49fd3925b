import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { refusal } from './refusal.ts';
import {
  AUTHORIZATION_REFUSALS,
  SERVER_REFUSALS,
  JSON_BODY_REFUSALS,
  RATE_LIMIT_REFUSALS,
  UPLOAD_REFUSALS,
  WRITE_REFUSALS,
  CROSS_SITE_REFUSALS,
  PATH_NOT_FOUND_REFUSALS,
} from './request-refusals.ts';

/** Makes a repeat of a write safe. */
const writeHeaders = {
  'idempotency-key': z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.idempotencyKey}}$`),
      WRITE_REFUSALS.idempotencyKeyInvalid.sentence,
    )
    .optional()
    .meta({
      description:
        'A key of your choice, such as a UUID, that makes repeats of this request safe. For 24 hours a repeat with the same key and body gets the first answer again, with `Idempotent-Replayed: true`, and does nothing. The same key with another body gets 400.',
      minLength: 1,
      maxLength: LIMITS.idempotencyKey,
    }),
};

const UNAUTHORIZED_CONDITION =
  'The key is missing, not valid, expired or revoked; or in its place there is a session that has ended.';

/** Endpoints that a key or a session opens. */
export const AUTHENTICATED_DEFAULTS = {
  requests: {
    unauthorized: refusal(
      401,
      UNAUTHORIZED_CONDITION,
      'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.',
    ),
    ...AUTHORIZATION_REFUSALS,
    ...RATE_LIMIT_REFUSALS,
  },
  writes: WRITE_REFUSALS,
  writeHeaders,
};

/** Endpoints of operators. For everybody else they do not exist. */
export const OPERATOR_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  scope: 'operator' as const,
  requests: { ...AUTHENTICATED_DEFAULTS.requests, ...PATH_NOT_FOUND_REFUSALS },
};

/** Endpoints of the site, which have a bare 401. */
export const SITE_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  requests: {
    unauthorized: refusal(401, `${UNAUTHORIZED_CONDITION} (On \`/site/*\`.)`, 'Unauthorized'),
    ...AUTHORIZATION_REFUSALS,
    ...RATE_LIMIT_REFUSALS,
  },
};

/** Questions with a body: they change nothing, so a repeat needs no key. */
export const QUERY_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  writes: { ...JSON_BODY_REFUSALS, ...CROSS_SITE_REFUSALS },
  writeHeaders: {},
};

/** Endpoints whose body is a file: the same file has the same outcome, so a repeat needs no key. */
export const UPLOAD_DEFAULTS = {
  ...AUTHENTICATED_DEFAULTS,
  writes: UPLOAD_REFUSALS,
  writeHeaders: {},
};

/** Endpoints by which one gets in: nobody is asked for a key. */
export const UNAUTHENTICATED_DEFAULTS = {
  open: true as const,
  requests: SERVER_REFUSALS,
  writes: { ...JSON_BODY_REFUSALS, ...CROSS_SITE_REFUSALS },
  writeHeaders: {},
};
