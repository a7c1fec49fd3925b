import type { FastifyRequest } from 'fastify';

const MAX_PARAMS = 50;

/** The parameters of a token request. Empty if there are too many, because parsing takes quadratic time. */
export function readParams({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  const text = typeof body === 'string' ? body : '';
  return new URLSearchParams(text.split('&', MAX_PARAMS + 1).length > MAX_PARAMS ? '' : text);
}

/** Not authenticated: for limits. */
export function claimedClientId(request: Pick<FastifyRequest, 'body' | 'headers'>): string {
  const [, basic = ''] =
    /^Basic +([\w+/=-]{1,4000})$/i.exec(request.headers.authorization ?? '') ?? [];
  const [id = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 1);
  return (id || readParams(request).get('client_id') || '').slice(0, 500);
}
