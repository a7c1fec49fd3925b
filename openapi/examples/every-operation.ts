import { error, type Example } from './example.ts';

/** The 400s that every write shares. */
export const writeRefusals: readonly Example[] = [
  error('JsonMalformed', 'The body is not JSON.', 'The request body is not valid JSON.'),
  error(
    'IdempotencyKeyReused',
    'The key was sent before, with another body.',
    'The Idempotency-Key was used before with another request body.',
  ),
];

/** The answers that are the same wherever they occur, by status. */
export const sharedErrors: Readonly<Record<number, Example>> = {
  413: error(
    'BodyTooLarge',
    'The body holds more than 1 MiB.',
    'The request body is larger than 1 MiB.',
  ),
  415: error(
    'NotJson',
    'The body is not declared as JSON.',
    'The Content-Type must be application/json.',
  ),
  429: error(
    'RateLimited',
    'The operator allows fewer requests per minute.',
    'Too many requests with this key; try again in 20 seconds.',
  ),
  503: error(
    'Overloaded',
    'The server is overloaded or stopping.',
    'The service is overloaded; try again in a moment.',
  ),
};
