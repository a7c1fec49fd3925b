import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/** Part of a program's name that is read, in characters. */
const CHARACTERS = 512;
/** Programs that are remembered: to look at a name takes longer than to answer. */
const people = new LRUCache<string, boolean>({ max: 1_000 });

/**
 * Whether somebody opens a page: with a browser, which neither looks ahead nor asks for a part of
 * another page. Who has the page already and hears that it is the same opens it, too.
 */
export function isVisit({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  const purpose = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].join(' ');
  if (/prefetch|prerender|preview/i.test(purpose)) return false;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'document') return false;
  return isPerson(headers['user-agent']?.slice(0, CHARACTERS));
}

function isPerson(agent: string | undefined): boolean {
  if (!agent) return false;
  const known = people.get(agent);
  if (known !== undefined) return known;
  const found = !isbot(agent);
  people.set(agent, found);
  return found;
}
