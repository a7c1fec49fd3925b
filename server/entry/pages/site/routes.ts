import type { FastifyInstance } from 'fastify';
import { UUID_PATTERN } from '#contract/uuid.ts';
import type { Services } from '#server/features/services.ts';
import { ON_EVERY_HOST } from '#server/platform/http/access/hosts.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { registerMessageRoutes } from './message-routes.ts';
import { PAGE_FILE_NAMES } from './page-file-names.ts';
import type { BlockFile } from './page-files.ts';
import { ON_PAGES_HOST, PAGE_ROOTS } from './page-roots.ts';
import { registerPictureRoutes } from './picture-routes.ts';
import { registerReportRoutes } from './report-routes.ts';
import { registerShareRoutes } from './share-routes.ts';
import {
  parseName,
  type NameParams,
  PAGE_NOT_FOUND,
  type SiteResponder,
} from './site-responder.ts';

const refuse = createRefuser(PAGE_REFUSALS);

const URI_PATTERN = /^[a-z][a-z\d+.-]*:./is;

const ON_HANDLE_HOSTS = { config: { hostKinds: ['domains', 'handles'] } } as const;

/** Font names are content hashes, so the files never change. */
const FONT_HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=31536000, immutable',
  ...securityHeaders(),
};

const NO_CONTENT_HEADERS = securityHeaders();

export function registerSiteRoutes(
  server: FastifyInstance,
  app: Services,
  responder: SiteResponder,
): void {
  server.get<NameParams>('/@:name', ON_PAGES_HOST, (request, reply) =>
    responder.respond(request, reply, 'page'),
  );
  server.get<NameParams>('/@:name/', ON_PAGES_HOST, (request, reply) =>
    responder.respond(request, reply, 'page'),
  );
  for (const [root, hosts] of PAGE_ROOTS) {
    for (const file of PAGE_FILE_NAMES)
      server.get<NameParams & { Querystring: { version?: unknown } }>(
        `${root}/${file}`,
        hosts,
        (request, reply) => {
          const isVersion4 = file === 'card.vcf' && request.query.version === '4';
          return responder.respond(request, reply, isVersion4 ? 'card.vcf?version=4' : file);
        },
      );
    for (const file of ['metric/:block.svg', 'event/:block.ics'] as const)
      server.get<{ Params: NameParams['Params'] & { block: string } }>(
        `${root}/${file}`,
        hosts,
        async (request, reply) => {
          const { block } = request.params;
          if (!UUID_PATTERN.test(block)) throw await responder.notFoundError(request);
          return responder.respond(request, reply, file.replace(':block', block) as BlockFile);
        },
      );
    server.post<NameParams>(`${root}/click`, hosts, async (request, reply) => {
      await responder.countClick(request);
      return reply.status(204).headers(NO_CONTENT_HEADERS).removeHeader('content-type').send();
    });
  }

  registerPictureRoutes(server, app);
  if (!app.features.off.includes('reports')) registerReportRoutes(server, responder, app);
  registerMessageRoutes(server, responder, app);
  registerShareRoutes(server, responder, app);

  registerFontRoute(server);
  registerHandleRoutes(server, responder);
}

/** On every host, because previews load fonts, too. */
function registerFontRoute(server: FastifyInstance): void {
  server.get<{ Params: { file: string } }>(
    '/fonts/:file',
    ON_EVERY_HOST,
    async ({ params }, reply) => {
      const { fontFile } = await import('#page/design/fonts.ts');
      const bytes = fontFile(params.file);
      if (!bytes) throw PAGE_NOT_FOUND;
      return reply.headers(FONT_HEADERS).send(bytes);
    },
  );
}

/** Display names as handles of Bluesky and of the fediverse. */
function registerHandleRoutes(server: FastifyInstance, responder: SiteResponder): void {
  server.get('/.well-known/atproto-did', ON_HANDLE_HOSTS, async (request, reply) => {
    if (request.domain) return responder.respondAtDomain(request, reply, 'atproto-did');
    await responder.refuseGuesses(request);
    const name = parseName(request.headers.host?.split('.')[0] ?? '');
    if (name === undefined) throw await responder.notFoundError(request);
    return responder.send(request, reply, { name, file: 'atproto-did' });
  });

  server.get<{ Querystring: { resource?: unknown } }>(
    '/.well-known/webfinger',
    ON_PAGES_HOST,
    async (request, reply) => {
      const { resource } = request.query;
      if (typeof resource !== 'string' || !URI_PATTERN.test(resource))
        throw refuse('resourceMalformed');
      await responder.refuseGuesses(request);
      const { host } = new URL(responder.origin);
      const [, user = '', at] = /^acct:([^@]+)@(.+)$/.exec(resource) ?? [];
      const alias = `${responder.origin}/@`;
      const name = resource.startsWith(alias)
        ? parseName(resource.slice(alias.length))
        : at?.toLowerCase() === host && parseName(user);
      if (!name) throw await responder.notFoundError(request);
      return responder.send(request, reply, { name, file: 'webfinger' });
    },
  );
}
