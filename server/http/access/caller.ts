import type { FastifyRequest } from 'fastify';
import type { Caller } from '#server/caller.ts';

/** Who calls, behind a guard. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('nobody was let in here');
  return caller;
}
