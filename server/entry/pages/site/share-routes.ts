import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/core.ts';
import { guardUnauthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { acceptForms } from '../form.ts';
import { PAGE_ROOTS } from './page-roots.ts';
import type { NameParams, SiteResponder } from './site-responder.ts';

const MAX_HOST_LENGTH = 253;
const HOST_PATTERN = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/;

/**
 * Leads from the form on the share page to the visitor's Mastodon server. A form, because a link
 * here could lead to any website, and look like one to this.
 */
export function registerShareRoutes(
  server: FastifyInstance,
  responder: SiteResponder,
  { pagesOrigin, instruments }: Pick<Core, 'pagesOrigin' | 'instruments'>,
): void {
  void server.register(async (shareApp) => {
    guardUnauthenticated(shareApp, { origin: pagesOrigin, instruments });
    const readForm = acceptForms(shareApp, { server: MAX_HOST_LENGTH });
    for (const [root, hosts] of PAGE_ROOTS)
      shareApp.post<NameParams>(`${root}/share`, hosts, async (request, reply) => {
        const url = await responder.urlOf(request);
        const host = parseServer(readForm(request).values.server);
        const target =
          host === undefined
            ? `${new URL(`${url}/share`).pathname}#mastodon`
            : `https://${host}/share?text=${encodeURIComponent(url)}`;
        return reply.header('cache-control', 'no-store').redirect(target, 303);
      });
  });
}

/** Takes also the address of a server, and a handle, such as `@jane@mastodon.social`. */
function parseServer(text: string): string | undefined {
  const [address = ''] = text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/');
  const host = address.slice(address.lastIndexOf('@') + 1);
  return host.length <= MAX_HOST_LENGTH && HOST_PATTERN.test(host) ? host : undefined;
}
