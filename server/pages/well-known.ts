import type { FastifyInstance } from 'fastify';
import { AT_EVERY_HOST } from '../http/own-host.ts';
import { PAGE_REFUSALS } from '../http/refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import { contactTarget } from '../service/site-page/target.ts';
import type { PageDependencies } from './pages.ts';

const refuse = refuserOf(PAGE_REFUSALS);

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const TEXT = 'text/plain; charset=utf-8';

/** What programs look for on every host, and where the bare address leads. */
export function wellKnown(
  scope: FastifyInstance,
  { abuseContact, homeUrl }: PageDependencies,
): void {
  scope.get('/', (_request, reply) => reply.redirect(homeUrl ?? '/dashboard/', 303));

  scope.get('/robots.txt', AT_EVERY_HOST, (_request, reply) =>
    reply
      .type(TEXT)
      .header('cache-control', 'public, max-age=3600')
      .send(
        'User-agent: *\nDisallow: /confirm/\nDisallow: /dashboard\nDisallow: /docs\nDisallow: /owner/\n',
      ),
  );

  scope.get('/.well-known/security.txt', AT_EVERY_HOST, (_request, reply) => {
    if (abuseContact === undefined) throw refuse('contactNotFound');
    const expires = new Date(Date.now() + YEAR_MS).toISOString();
    return reply.type(TEXT).send(`Contact: ${contactTarget(abuseContact)}\nExpires: ${expires}\n`);
  });
}
