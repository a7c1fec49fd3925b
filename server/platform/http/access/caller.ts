import type { FastifyRequest } from 'fastify';
import type { Caller } from '#server/platform/caller.ts';

/** Throws on routes without authentication. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('the request is not authenticated');
  return caller;
}
