import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { refusal } from './refusal.ts';
import {
  EVERY_ACCOUNT,
  EVERY_ADDRESS,
  EVERY_BODY,
  EVERY_REQUEST,
  EVERY_UPLOAD,
  EVERY_WRITE,
  FROM_ANOTHER_SITE,
  PATH_NOT_FOUND,
} from './request-refusals.ts';

/** Makes a repeat of a write safe. */
const writeHeaders = {
  'idempotency-key': z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${LIMITS.idempotencyKey}}$`),
      EVERY_WRITE.idempotencyKeyInvalid.sentence,
    )
    .optional()
    .meta({
      description:
        'A key of your choice, such as a UUID, that makes repeats of this request safe. For 24 hours a repeat with the same key and body gets the first answer again, with `Idempotent-Replayed: true`, and does nothing. The same key with another body gets 400.',
      minLength: 1,
      maxLength: LIMITS.idempotencyKey,
    }),
};

const KEY_REFUSED =
  'The key is missing, not valid, expired or revoked; or in its place there is a session that has ended.';

/** Endpoints that a key or a session opens. */
export const AUTHENTICATED = {
  requests: {
    unauthorized: refusal(
      401,
      KEY_REFUSED,
      'The API key is missing or not valid: a valid key in the X-API-KEY header (or a login) is required.',
    ),
    ...EVERY_ACCOUNT,
    ...EVERY_REQUEST,
  },
  writes: EVERY_WRITE,
  writeHeaders,
};

/** Endpoints of operators. For everybody else they do not exist. */
export const OPERATOR = {
  ...AUTHENTICATED,
  scope: 'operator' as const,
  requests: { ...AUTHENTICATED.requests, ...PATH_NOT_FOUND },
};

/** Endpoints of the site, which have a bare 401. */
export const SITE = {
  ...AUTHENTICATED,
  requests: {
    unauthorized: refusal(401, `${KEY_REFUSED} (On \`/site/*\`.)`, 'Unauthorized'),
    ...EVERY_ACCOUNT,
    ...EVERY_REQUEST,
  },
};

/** Questions with a body: they change nothing, so a repeat needs no key. */
export const QUERY = {
  ...AUTHENTICATED,
  writes: { ...EVERY_BODY, ...FROM_ANOTHER_SITE },
  writeHeaders: {},
};

/** Endpoints whose body is a file: the same file has the same outcome, so a repeat needs no key. */
export const UPLOAD = { ...AUTHENTICATED, writes: EVERY_UPLOAD, writeHeaders: {} };

/** Endpoints by which one gets in: nobody is asked for a key. */
export const UNAUTHENTICATED = {
  open: true as const,
  requests: EVERY_ADDRESS,
  writes: { ...EVERY_BODY, ...FROM_ANOTHER_SITE },
  writeHeaders: {},
};
