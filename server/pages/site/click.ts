import type { FastifyRequest } from 'fastify';
import { linkTarget } from '../../service/site-page/target.ts';
import { isPerson } from './visit.ts';

/** The address of the link that a browser says was clicked; undefined if it is no click on a page of this host. */
export function clickedTarget({ headers }: FastifyRequest): string | undefined {
  if (!isFromSameOrigin(headers) || !isPerson(headers)) return undefined;
  return linkTarget(headers['ping-to']);
}

/** Old browsers, and those at plain http, name the page instead of its relation to this host. */
function isFromSameOrigin(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const from = headers['ping-from'];
  return typeof from === 'string' && URL.parse(from)?.host === headers.host?.toLowerCase();
}
