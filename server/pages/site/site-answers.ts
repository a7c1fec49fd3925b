import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '#server/http/access/public-origin.ts';
import { signedInAccount } from '#server/http/access/signed-in.ts';
import { PAGE_REFUSALS } from '#server/http/answers/refusals.ts';
import { encodingOf, sendRepresentation } from '#server/http/answers/representation.ts';
import { VisitCounts } from '#server/features/visitors/visit-counts.ts';
import { loadOnce } from '#server/load-once.ts';
import { refuserOf } from '#server/refusal.ts';
import type { PageDependencies } from '../dependencies.ts';
import { nameIn } from './page-address.ts';
import type { PageFile } from './renderings.ts';
import type { SitePages } from './site-pages.ts';
import { isPerson, isVisit, viewOf } from './visit.ts';
import { safeLinkUrl } from '#page/safe-url.ts';

/** One error for all requests: creating it takes longer than looking up a name. */
export const PAGE_UNKNOWN = refuserOf(PAGE_REFUSALS)('pageNotFound');

/** A request whose address has the name of a page. */
export interface Named {
  Params: { name: string };
}

/** Answers requests for pages and their files. Hidden, unknown and impossible names get the same answer. */
export class SiteAnswers {
  readonly #scope: FastifyInstance;
  readonly #dependencies: PageDependencies;
  readonly #visits: VisitCounts;
  /** The pages and their renderer, loaded at the first request: a start does not wait for Markdown and colours. */
  readonly #pages: () => Promise<SitePages>;

  constructor(scope: FastifyInstance, dependencies: PageDependencies) {
    this.#scope = scope;
    this.#dependencies = dependencies;
    this.#pages = loadOnce(async () => {
      const { SitePages } = await import('./site-pages.ts');
      return new SitePages(dependencies);
    });
    this.#visits = new VisitCounts(dependencies.db, (error) =>
      scope.log.error({ err: error }, 'the views and clicks of pages could not be written down'),
    );
    scope.addHook('onClose', () => this.#visits.write());
  }

  /** The origin of all pages. */
  get origin(): string {
    return originOf(this.#scope, this.#dependencies.pagesUrl);
  }

  /** Answers with a page or a file of it, and redirects to the address as it should be written. */
  async answer(
    request: FastifyRequest<Named>,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> {
    if (request.domain) return this.answerAtDomain(request, reply, file);
    await this.refuseGuesses(request);
    const name = nameIn(request.params.name);
    if (name === undefined) throw await this.unknown(request);
    const isCanonical = request.params.name === name && !request.routeOptions.url?.endsWith('/');
    if (isCanonical) return this.send(request, reply, { name, file });
    const pages = await this.#pages();
    if (!(await pages.has(name))) throw await this.unknown(request);
    const url = `${this.origin}/@${name}`;
    return reply.redirect(file === 'page' ? url : `${url}/${file}`, 308);
  }

  /** Answers with the page that a custom domain has, or a file of it. */
  async answerAtDomain(
    request: FastifyRequest,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> {
    await this.refuseGuesses(request);
    const name = request.domain?.name;
    if (!name) throw await this.unknown(request);
    return this.send(request, reply, { name, file });
  }

  /** Leads from a custom domain to the form that reports its page, which is at the host of all pages. */
  async leadToReport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.refuseGuesses(request);
    const name = request.domain?.name;
    if (!name || !(await (await this.#pages()).has(name))) throw await this.unknown(request);
    return reply.redirect(`${this.origin}/@${name}/report`, 303);
  }

  /** Sends a file of the page of a name, which is as it is written in its address. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, file }: { name: string; file: PageFile },
  ): Promise<FastifyReply> {
    const { pageCacheSeconds } = this.#dependencies;
    const pages = await this.#pages();
    // A picture is compressed by itself.
    const encoding = file === 'card.png' ? 'identity' : encodingOf(request);
    const { domain } = request;
    const found = await pages.find({ name, url: this.#urlOf(request, name), file, encoding });
    // The name may be another account's since the domain was looked up.
    if (!found || (domain && found.state.account_id !== domain.account_id))
      throw await this.unknown(request);
    const { redirect } = found.state;
    if (file === 'page' && redirect !== null && !domain && this.#dependencies.customDomains)
      return reply
        .header('cache-control', 'no-cache')
        .redirect(`${this.#originOf(redirect)}/`, 308);
    if (file === 'page' && found.state.counts_visits && isVisit(request))
      await this.#countView(request, found.state.account_id);
    const cacheControl =
      pageCacheSeconds > 0
        ? `public, max-age=0, s-maxage=${pageCacheSeconds}, must-revalidate`
        : 'no-cache';
    return sendRepresentation(request, reply, found.representation, cacheControl);
  }

  /** The error for a page that does not exist, or for too many requests for such pages. */
  async unknown(request: FastifyRequest) {
    return (await this.#dependencies.rates.unknownPages.count(request)) ?? PAGE_UNKNOWN;
  }

  /** Refuses a network that guesses names, whether there is such a page or not. */
  async refuseGuesses(request: FastifyRequest): Promise<void> {
    const tooMany = await this.#dependencies.rates.unknownPages.check(request);
    if (tooMany) throw tooMany;
  }

  /**
   * Counts a click on a link of a page. Whoever asks gets the same answer, whether there is such a page
   * or link or not, and however many clicks there were.
   */
  async countClick(request: FastifyRequest<Named>): Promise<void> {
    const target = clickedTarget(request);
    const name = request.domain ? request.domain.name : nameIn(request.params.name);
    if (target === undefined || !name) return;
    if (await this.#dependencies.rates.clicks.count(request)) return;
    const pages = await this.#pages();
    const url = this.#urlOf(request, name);
    const found = await pages.find({ name, url, file: 'page', encoding: encodingOf(request) });
    if (!found?.links.has(target)) return;
    const { account_id } = found.state;
    if (request.domain && request.domain.account_id !== account_id) return;
    if (await this.#isByOthers(request, account_id)) this.#visits.addClick(account_id, target);
  }

  async #countView(request: FastifyRequest, accountId: string): Promise<void> {
    if (!(await this.#isByOthers(request, accountId))) return;
    if (!(await this.#dependencies.rates.pageViews.count(request, accountId)))
      this.#visits.addView(accountId, viewOf(request, this.#dependencies.countryHeader));
  }

  /** Whether a visitor is not the owner of the page. */
  async #isByOthers(request: FastifyRequest, accountId: string): Promise<boolean> {
    // A look-up that fails keeps nobody from a page.
    const visitor = await signedInAccount(request, this.#dependencies).catch(() => undefined);
    return visitor !== accountId;
  }

  /** The address of the page of a name at the host that a request came to. */
  #urlOf({ domain }: FastifyRequest, name: string): string {
    return domain ? this.#originOf(domain.host) : `${this.origin}/@${name}`;
  }

  /** The origin of a custom domain, which has the scheme and the port of all pages. */
  #originOf(domain: string): string {
    const url = new URL(this.origin);
    url.hostname = domain;
    return url.origin;
  }
}

/** The clicked link that a browser reports; undefined unless it was on a page of this host. */
function clickedTarget({ headers }: FastifyRequest): string | undefined {
  if (!isFromSameOrigin(headers) || !isPerson(headers)) return undefined;
  return safeLinkUrl(headers['ping-to']);
}

/** Old browsers, and all over plain HTTP, send the page's address (`ping-from`) instead. */
function isFromSameOrigin(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const from = headers['ping-from'];
  return typeof from === 'string' && URL.parse(from)?.host === headers.host?.toLowerCase();
}
