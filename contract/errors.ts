import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** The body of every response with a status of 400 or more: one sentence for people, nothing else. */
export const ErrorResponse = z
  .object({
    error: z
      .string()
      .min(1)
      .meta({
        description: 'What went wrong, as one sentence for people.',
        maxLength: LIMITS.sentence,
        examples: ['A display name is required.'],
      }),
  })
  .meta({ id: 'ErrorResponse', description: 'Why a request was refused or failed.' });
export type ErrorResponse = z.infer<typeof ErrorResponse>;

/** What a read can answer besides its own statuses. */
export const readErrors = {
  401: ErrorResponse,
  429: ErrorResponse,
  500: ErrorResponse,
  503: ErrorResponse,
};

/** What a write can answer besides its own statuses. */
export const writeErrors = {
  400: ErrorResponse,
  401: ErrorResponse,
  413: ErrorResponse,
  415: ErrorResponse,
  429: ErrorResponse,
  500: ErrorResponse,
  503: ErrorResponse,
};

/** Header of every write: makes a repeat safe (see the contract's description of each write). */
export const writeHeaders = {
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
    .optional()
    .meta({
      description:
        'A key of your own making (a UUID, say) that makes a repeat of this request safe. For 24 hours a repeat with the same key and body gets the first answer again, with `Idempotent-Replayed: true`, and does nothing twice; the same key with another body gets 400.',
      minLength: 1,
      maxLength: LIMITS.idempotencyKey,
      examples: ['7b4d0e0c-8f0a-4c58-9a5b-0f3f6f1c2d3e'],
    }),
};

/** What belongs to an endpoint rather than to its handler. */
export interface RouteMetadata {
  /** The `error` of its 401. */
  unauthorized: string;
  /** The `error` of its 500, unless the handler names a more exact one. */
  failure: string;
  /** Whether its effect lies outside the database, so that no transaction can undo it. */
  external?: true;
}

/** 401 outside `/site` (specification, Authentication 4). */
export const KEY_REQUIRED =
  'A valid API key (or login) is required: send it in the X-API-KEY header.';

/** 401 on `/site` (specification, Authentication 4). */
export const UNAUTHORIZED = 'Unauthorized';
