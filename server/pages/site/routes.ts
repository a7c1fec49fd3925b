import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '../../../contract/refusal.ts';
import { UUID } from '../../../contract/uuid.ts';
import { findPageState } from '../../../db/queries/public-sites.ts';
import { securityHeaders } from '../../http/headers.ts';
import { originOf } from '../../http/public-origin.ts';
import { PageViews } from '../../service/page-views/page-views.ts';
import { refuserOf } from '../../service/refusal.ts';
import type { PageDependencies } from '../pages.ts';
import { nameIn } from './page-address.ts';
import type { PageFile } from './renderings.ts';
import { sendRepresentation } from '../../http/representation.ts';
import type { SitePages } from './site-pages.ts';
import { isVisit } from './visit.ts';

const refuse = refuserOf({
  pageUnknown: refusal(404, 'No page of this name is visible.', 'There is no such page.'),
  resourceMalformed: refusal(
    400,
    'WebFinger was asked about nothing, or about what is no URI.',
    'resource must be a URI, for example acct:name@host.',
  ),
});

const URI = /^[a-z][a-z\d+.-]*:./is;

interface Named {
  Params: { name: string };
}

/** A font never changes: its name is of what is in it. */
const FONT_HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=31536000, immutable',
  ...securityHeaders(),
};

/** Files below a page, beside the page itself. */
const FILES = ['card.png', 'qr.svg', 'card.vcf', 'page.json'] as const;

/** The pages of sites. Hidden, unknown and impossible names have the same answer. */
export function sitePages(scope: FastifyInstance, dependencies: PageDependencies): void {
  const { db, reads, figures, mailDomain, publicUrl, abuseContact, pageCacheSeconds } =
    dependencies;
  const cacheControl =
    pageCacheSeconds > 0
      ? `public, max-age=0, s-maxage=${pageCacheSeconds}, must-revalidate`
      : 'no-cache';
  // Loaded when the first page is asked for: a start does not wait for Markdown and colours.
  let loaded: Promise<SitePages> | undefined;
  const load = async () => {
    const { SitePages } = await import('./site-pages.ts');
    return new SitePages({ reads, figures, mailDomain, abuseContact });
  };
  const views = new PageViews(db, (error) =>
    scope.log.error({ err: error }, 'the views of pages could not be written down'),
  );
  scope.addHook('onClose', () => views.write());

  /** Sends a file of the page of a name, which is as it is written in its address. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, file }: { name: string; file: PageFile },
  ): Promise<FastifyReply> => {
    const url = `${originOf(scope, publicUrl)}/@${name}`;
    const pages = await (loaded ??= load());
    const found = await pages.find(name, url, file);
    if (!found) throw refuse('pageUnknown');
    if (file === 'page' && isVisit(request)) views.add(found.accountId);
    return sendRepresentation(request, reply, found.representation, cacheControl);
  };

  const answer = async (
    request: FastifyRequest<Named>,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> => {
    const name = nameIn(request.params.name);
    if (name === undefined) throw refuse('pageUnknown');
    const isCanonical = request.params.name === name && !request.routeOptions.url?.endsWith('/');
    if (isCanonical) return send(request, reply, { name, file });
    if (!(await findPageState(reads, name))) throw refuse('pageUnknown');
    const url = `${originOf(scope, publicUrl)}/@${name}`;
    return reply.redirect(file === 'page' ? url : `${url}/${file}`, 308);
  };

  scope.get<Named>('/@:name', (request, reply) => answer(request, reply, 'page'));
  scope.get<Named>('/@:name/', (request, reply) => answer(request, reply, 'page'));
  for (const file of FILES)
    scope.get<Named>(`/@:name/${file}`, (request, reply) => answer(request, reply, file));

  scope.get<{ Params: Named['Params'] & { block: string } }>(
    '/@:name/metric/:block.svg',
    (request, reply) => {
      const { block } = request.params;
      if (!UUID.test(block)) throw refuse('pageUnknown');
      return answer(request, reply, `metric/${block}.svg`);
    },
  );

  scope.get<{ Params: { file: string } }>('/fonts/:file', async ({ params }, reply) => {
    const { fontFile } = await import('../../service/site-page/fonts.ts');
    const bytes = fontFile(params.file);
    if (!bytes) throw refuse('pageUnknown');
    return reply.headers(FONT_HEADERS).send(bytes);
  });

  scope.get<{ Querystring: { resource?: unknown } }>('/.well-known/webfinger', (request, reply) => {
    const { resource } = request.query;
    if (typeof resource !== 'string' || !URI.test(resource)) throw refuse('resourceMalformed');
    const { host } = new URL(originOf(scope, publicUrl));
    const [, user = '', at] = /^acct:([^@]+)@(.+)$/.exec(resource) ?? [];
    const name = nameIn(user);
    if (name === undefined || at?.toLowerCase() !== host) throw refuse('pageUnknown');
    return send(request, reply, { name, file: 'webfinger' });
  });
}
