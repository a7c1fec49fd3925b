import type { FastifyRequest } from 'fastify';

const MAX_PARAMS = 50;

/** The parameters of a token request. Empty if there are too many, because parsing takes quadratic time. */
export function readParams({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  const text = typeof body === 'string' ? body : '';
  return new URLSearchParams(text.split('&', MAX_PARAMS + 1).length > MAX_PARAMS ? '' : text);
}
