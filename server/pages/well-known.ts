import type { FastifyInstance } from 'fastify';
import { AT_EVERY_HOST } from '../http/access/own-host.ts';
import { PAGE_REFUSALS } from '../http/answers/refusals.ts';
import { refuserOf } from '../service/refusal.ts';
import { contactTarget } from '../service/site-page/target.ts';
import type { PageDependencies } from './dependencies.ts';

const refuse = refuserOf(PAGE_REFUSALS);

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
/** A name plate with two screws, in the green of the product. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>.plate{fill:#0f6a4c}@media(prefers-color-scheme:dark){.plate{fill:#278a63}}</style><rect class="plate" y="4" width="32" height="24" rx="6"/><g fill="#fff"><circle cx="6" cy="16" r="2"/><circle cx="26" cy="16" r="2"/><rect x="11" y="14" width="10" height="4" rx="2"/></g></svg>';
const TEXT = 'text/plain; charset=utf-8';

/** Serves what programs look for on every host. */
export function wellKnown(scope: FastifyInstance, { abuseContact }: PageDependencies): void {
  scope.get('/favicon.ico', AT_EVERY_HOST, (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(FAVICON),
  );

  scope.get('/robots.txt', AT_EVERY_HOST, (request, reply) =>
    reply
      .type(TEXT)
      .header('cache-control', 'public, max-age=3600')
      .send(
        request.domain
          ? 'User-agent: *\nAllow: /\n'
          : 'User-agent: *\nDisallow: /confirm/\nDisallow: /dashboard\nDisallow: /docs\nDisallow: /owner/\n',
      ),
  );

  scope.get('/.well-known/security.txt', AT_EVERY_HOST, (_request, reply) => {
    if (abuseContact === undefined) throw refuse('contactNotFound');
    const expires = new Date(Date.now() + YEAR_MS).toISOString();
    return reply.type(TEXT).send(`Contact: ${contactTarget(abuseContact)}\nExpires: ${expires}\n`);
  });
}
