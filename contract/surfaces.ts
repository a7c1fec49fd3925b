import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { refusal } from './refusal.ts';
import { EVERY_ACCOUNT, EVERY_REQUEST, EVERY_WRITE } from './request-refusals.ts';

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
        'A key of your own making (a UUID, say) that makes a repeat of this request safe. For 24 hours a repeat with the same key and body gets the first answer again, with `Idempotent-Replayed: true`, and does nothing twice; the same key with another body gets 400.',
      minLength: 1,
      maxLength: LIMITS.idempotencyKey,
    }),
};

const KEY_REFUSED = 'The key is missing, not valid or revoked.';

/** Endpoints that a key opens. */
export const KEYED = {
  requests: {
    keyRequired: refusal(
      401,
      KEY_REFUSED,
      'A valid API key (or login) is required: send it in the X-API-KEY header.',
    ),
    ...EVERY_ACCOUNT,
    ...EVERY_REQUEST,
  },
  writes: EVERY_WRITE,
  writeHeaders,
};

/** The same with the bare 401 of the endpoints of the site. */
export const SITE = {
  ...KEYED,
  requests: {
    keyRefused: refusal(401, KEY_REFUSED, 'Unauthorized'),
    ...EVERY_ACCOUNT,
    ...EVERY_REQUEST,
  },
};
