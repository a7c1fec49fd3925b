import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The id of a request: the one that it brought, if it may be one. Whoever asks again gets the same. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  return (headers['x-request-id'] = randomUUID());
}
