import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UUID } from '../../../contract/uuid.ts';
import { securityHeaders } from '../../http/answers/headers.ts';
import { AT_EVERY_HOST } from '../../http/access/own-host.ts';
import { originOf } from '../../http/access/public-origin.ts';
import { PAGE_REFUSALS } from '../../http/answers/refusals.ts';
import { PageViews } from '../../service/page-views/page-views.ts';
import { refuserOf } from '../../service/refusal.ts';
import type { PageDependencies } from '../dependencies.ts';
import { nameIn } from './page-address.ts';
import type { PageFile } from './renderings.ts';
import { encodingOf, sendRepresentation } from '../../http/answers/representation.ts';
import { signedInAccount } from '../../http/access/signed-in.ts';
import type { SitePages } from './site-pages.ts';
import { isVisit } from './visit.ts';

const refuse = refuserOf(PAGE_REFUSALS);

/** One for everybody: to make an error takes longer than to look up a name. */
const PAGE_UNKNOWN = refuse('pageNotFound');

const URI = /^[a-z][a-z\d+.-]*:./is;

const AT_PAGES = { config: { isFoundAt: 'pages' } } as const;

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
  const {
    db,
    rates,
    reads,
    figures,
    mailDomain,
    noindexDays,
    pagesUrl,
    abuseContact,
    pageCacheSeconds,
  } = dependencies;
  const cacheControl =
    pageCacheSeconds > 0
      ? `public, max-age=0, s-maxage=${pageCacheSeconds}, must-revalidate`
      : 'no-cache';
  // Loaded when the first page is asked for: a start does not wait for Markdown and colours.
  let loaded: Promise<SitePages> | undefined;
  const load = async () => {
    const { SitePages } = await import('./site-pages.ts');
    return new SitePages({ reads, figures, mailDomain, noindexDays, abuseContact });
  };
  const views = new PageViews(db, (error) =>
    scope.log.error({ err: error }, 'the views of pages could not be written down'),
  );
  scope.addHook('onClose', () => views.write());

  /** Counts that somebody opened the page of an account, unless it was its owner. */
  const count = async (request: FastifyRequest, accountId: string): Promise<void> => {
    // Nobody is kept from a page because of what cannot be looked up.
    const visitor = await signedInAccount(request, dependencies).catch(() => undefined);
    if (visitor !== accountId) views.add(accountId);
  };

  /** The answer for a page that there is not, or that too many such were asked for. */
  const unknown = async (request: FastifyRequest) =>
    (await rates.unknownPages.count(request)) ?? PAGE_UNKNOWN;

  /** Refuses a network that guesses names, whether there is such a page or not. */
  const refuseGuesses = async (request: FastifyRequest): Promise<void> => {
    const tooMany = await rates.unknownPages.check(request);
    if (tooMany) throw tooMany;
  };

  /** Sends a file of the page of a name, which is as it is written in its address. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { name, file }: { name: string; file: PageFile },
  ): Promise<FastifyReply> => {
    const url = `${originOf(scope, pagesUrl)}/@${name}`;
    const pages = await (loaded ??= load());
    // A picture is compressed by itself.
    const encoding = file === 'card.png' ? 'identity' : encodingOf(request);
    const found = await pages.find({ name, url, file, encoding });
    if (!found) throw await unknown(request);
    if (file === 'page' && isVisit(request)) await count(request, found.state.account_id);
    return sendRepresentation(request, reply, found.representation, cacheControl);
  };

  const answer = async (
    request: FastifyRequest<Named>,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> => {
    await refuseGuesses(request);
    const name = nameIn(request.params.name);
    if (name === undefined) throw await unknown(request);
    const isCanonical = request.params.name === name && !request.routeOptions.url?.endsWith('/');
    if (isCanonical) return send(request, reply, { name, file });
    const pages = await (loaded ??= load());
    if (!(await pages.has(name))) throw await unknown(request);
    const url = `${originOf(scope, pagesUrl)}/@${name}`;
    return reply.redirect(file === 'page' ? url : `${url}/${file}`, 308);
  };

  scope.get<Named>('/@:name', AT_PAGES, (request, reply) => answer(request, reply, 'page'));
  scope.get<Named>('/@:name/', AT_PAGES, (request, reply) => answer(request, reply, 'page'));
  for (const file of FILES)
    scope.get<Named>(`/@:name/${file}`, AT_PAGES, (request, reply) => answer(request, reply, file));

  scope.get<{ Params: Named['Params'] & { block: string } }>(
    '/@:name/metric/:block.svg',
    AT_PAGES,
    async (request, reply) => {
      const { block } = request.params;
      if (!UUID.test(block)) throw await unknown(request);
      return answer(request, reply, `metric/${block}.svg`);
    },
  );

  // Previews have them, too.
  scope.get<{ Params: { file: string } }>(
    '/fonts/:file',
    AT_EVERY_HOST,
    async ({ params }, reply) => {
      const { fontFile } = await import('../../service/site-page/fonts.ts');
      const bytes = fontFile(params.file);
      if (!bytes) throw PAGE_UNKNOWN;
      return reply.headers(FONT_HEADERS).send(bytes);
    },
  );

  scope.get<{ Querystring: { resource?: unknown } }>(
    '/.well-known/webfinger',
    AT_PAGES,
    async (request, reply) => {
      const { resource } = request.query;
      if (typeof resource !== 'string' || !URI.test(resource)) throw refuse('resourceMalformed');
      await refuseGuesses(request);
      const { host } = new URL(originOf(scope, pagesUrl));
      const [, user = '', at] = /^acct:([^@]+)@(.+)$/.exec(resource) ?? [];
      const name = nameIn(user);
      if (name === undefined || at?.toLowerCase() !== host) throw await unknown(request);
      return send(request, reply, { name, file: 'webfinger' });
    },
  );
}
