import type { FastifyReply, FastifyRequest } from 'fastify';
import { safeLinkUrl } from '#page/html/safe-url.ts';
import type { Services } from '#server/features/services.ts';
import { findSignedInAccount, readCookieAgain } from '#server/platform/http/access/caller.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import {
  preferredEncoding,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { looksAfter } from './looks-after.ts';
import type { PageFile } from './page-files.ts';
import type { CanSee, ContactForm, SitePageCache } from './site-page-cache.ts';
import { campaignTags, isBrowser, isVisit, viewOf } from './visit.ts';

/** Shared, because creating an error per request would cost more than the name lookup. */
export const PAGE_NOT_FOUND = createRefuser(PAGE_REFUSALS)('pageNotFound');

/** Files of a page for members. The others are for programs, which are not signed in. */
const MEMBER_FILES: ReadonlySet<PageFile> = new Set([
  'page',
  'share',
  'qr.svg',
  'qr.png',
  'card.vcf',
  'card.vcf?version=4',
  'events.ics',
  'feed.xml',
]);

export interface NameParams {
  Params: { name: string };
}

/** Hidden, unknown and invalid names get the same response. */
export class SiteResponder {
  readonly #app: Services;
  /**
   * Loaded on the first request, so that the server starts without Markdown and color libraries.
   */
  readonly #pages: () => Promise<SitePageCache>;

  constructor(app: Services) {
    this.#app = app;
    this.#pages = loadOnce(async () => {
      const { SitePageCache } = await import('./site-page-cache.ts');
      return new SitePageCache(app);
    });
  }

  get origin(): string {
    return this.#app.pagesOrigin();
  }

  async respond(
    request: FastifyRequest<NameParams>,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> {
    if (request.domain) return this.respondAtDomain(request, reply, file);
    await this.refuseGuesses(request);
    const name = parseName(request.params.name);
    if (name === undefined) throw await this.notFoundError(request);
    const isCanonical = request.params.name === name && !request.routeOptions.url?.endsWith('/');
    if (isCanonical) return this.send(request, reply, { name, file });
    const pages = await this.#pages();
    if (!(await pages.has(name, this.canSee(request, file))))
      return this.#redirectFormerName(request, reply, { name, file });
    // A cached redirect would reveal a members-only page.
    reply.header('cache-control', 'no-store');
    return reply.redirect(redirectTarget(request, pathOf(name, file), file), 308);
  }

  async respondAtDomain(
    request: FastifyRequest,
    reply: FastifyReply,
    file: PageFile,
  ): Promise<FastifyReply> {
    await this.refuseGuesses(request);
    const name = request.domain?.name;
    if (!name) throw await this.notFoundError(request);
    return this.send(request, reply, { name, file });
  }

  /** The report form exists only at the pages URL, not at custom domains. */
  async redirectToReport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.refuseGuesses(request);
    const name = request.domain?.name;
    if (!name || !(await (await this.#pages()).has(name, this.canSee(request))))
      throw await this.notFoundError(request);
    return reply.redirect(`${this.origin}/@${name}/report`, 303);
  }

  /** `name` must be lowercase. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, file }: { name: string; file: PageFile },
  ): Promise<FastifyReply> {
    const { PAGE_CACHE_SECONDS: pageCacheSeconds } = this.#app.config;
    const pages = await this.#pages();
    // PNG is already compressed.
    const encoding = file.endsWith('.png') ? 'identity' : preferredEncoding(request);
    const { domain } = request;
    const foundPage = await pages.find(
      { name, url: this.#pageUrl(request, name), file, encoding },
      this.canSee(request, file),
    );
    if (!foundPage && !domain) return this.#redirectFormerName(request, reply, { name, file });
    // The name may have moved to another account since the domain was looked up.
    if (!foundPage || (domain && foundPage.state.account_id !== domain.account_id))
      throw await this.notFoundError(request);
    const { redirect_domain, for_members } = foundPage.state;
    if (file === 'page' && redirect_domain !== null && !for_members && !domain && this.#app.domains)
      return reply
        .header('cache-control', 'no-cache')
        .redirect(redirectTarget(request, `${this.#domainOrigin(redirect_domain)}/`, file), 308);
    if (file === 'page' && foundPage.state.counts_visits && isVisit(request))
      await this.#countView(request, foundPage.state.account_id);
    if (for_members) reply.header('vary', 'cookie');
    const cacheControl = for_members
      ? 'private, no-store'
      : pageCacheSeconds > 0
        ? `public, max-age=0, s-maxage=${pageCacheSeconds}, must-revalidate`
        : 'no-cache';
    return sendRepresentation(request, reply, foundPage.representation, cacheControl);
  }

  /** The owner can stop the redirect at any time, so nothing may cache it. */
  async #redirectFormerName(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, file }: { name: string; file: PageFile },
  ): Promise<FastifyReply> {
    const currentName = await (await this.#pages()).findRedirect(name);
    if (currentName === undefined) {
      if (this.#app.config.PAGES_URL === undefined) readCookieAgain(request, reply);
      throw await this.notFoundError(request);
    }
    return reply
      .header('cache-control', 'no-store')
      .redirect(redirectTarget(request, pathOf(currentName, file), file), 302);
  }

  /**
   * Pages for members are at the host of the dashboard, which has the session cookie. There, only
   * `MEMBER_FILES` exist.
   */
  canSee(request: FastifyRequest, file: PageFile = 'page'): CanSee {
    return async ({ for_members: isForMembers }) => {
      if (!isForMembers) return true;
      if (request.domain || !(MEMBER_FILES.has(file) || file.startsWith('event/'))) return false;
      return (await findSignedInAccount(request, this.#app)) !== undefined;
    };
  }

  /** Resolves to a rate limit error after too many unknown pages. */
  async notFoundError(request: FastifyRequest) {
    return (await this.#app.rateLimits.missingPages.count(request)) ?? PAGE_NOT_FOUND;
  }

  /** Rejects networks that guessed too many names, even for pages that exist. */
  async refuseGuesses(request: FastifyRequest): Promise<void> {
    const rateLimitError = await this.#app.rateLimits.missingPages.check(request);
    if (rateLimitError) throw rateLimitError;
  }

  /**
   * The response does not show whether the click was counted, so it reveals nothing about pages,
   * links and limits.
   */
  async countClick(request: FastifyRequest<NameParams>): Promise<void> {
    const target = clickedUrl(request);
    const name = nameOf(request);
    const { visitors } = this.#app;
    if (!visitors || target === undefined || !name) return;
    if (await this.#app.rateLimits.clicks.count(request)) return;
    const pages = await this.#pages();
    const url = this.#pageUrl(request, name);
    const foundPage = await pages.find(
      { name, url, file: 'page', encoding: preferredEncoding(request) },
      this.canSee(request),
    );
    if (!foundPage?.countedUrls.has(target)) return;
    const { account_id } = foundPage.state;
    if (request.domain && request.domain.account_id !== account_id) return;
    if (await this.#isVisitor(request, account_id)) visitors.addClick(account_id, target);
  }

  /** The response is the same for names that do not exist. */
  async redirectToPage(
    request: FastifyRequest<NameParams>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const name = nameOf(request);
    if (!name) throw await this.notFoundError(request);
    return reply.redirect(request.domain ? '/' : pathOf(name, 'page'), 303);
  }

  /** The URL of a page, which may not exist: the response to a form does not tell. */
  async urlOf(request: FastifyRequest<NameParams>): Promise<string> {
    const name = nameOf(request);
    if (!name) throw await this.notFoundError(request);
    return this.#pageUrl(request, name);
  }

  /** Without a visible contact form, the response is the same as for an unknown name. */
  async findContactForm(
    request: FastifyRequest<NameParams>,
  ): Promise<ContactForm & { url: string }> {
    await this.refuseGuesses(request);
    const { domain } = request;
    const name = nameOf(request);
    const pages = await this.#pages();
    const form = name ? await pages.findContactForm(name, this.canSee(request)) : undefined;
    if (!name || !form || (domain && domain.account_id !== form.accountId))
      throw await this.notFoundError(request);
    return { ...form, url: this.#pageUrl(request, name) };
  }

  async #countView(request: FastifyRequest, accountId: string): Promise<void> {
    const { visitors } = this.#app;
    if (!visitors || !(await this.#isVisitor(request, accountId))) return;
    if (!(await this.#app.rateLimits.pageViews.count(request, accountId)))
      visitors.addView(accountId, viewOf(request, this.#app.config.COUNTRY_HEADER));
  }

  async #isVisitor(request: FastifyRequest, accountId: string): Promise<boolean> {
    const isOwn = async () => {
      const reader = await findSignedInAccount(request, this.#app);
      const { pageReadDb, features } = this.#app;
      return (
        reader !== undefined && looksAfter(pageReadDb, features, { actorId: reader, accountId })
      );
    };
    // A failed lookup must not block the page.
    return !(await isOwn().catch(() => false));
  }

  #pageUrl({ domain }: FastifyRequest, name: string): string {
    return domain ? this.#domainOrigin(domain.host) : `${this.origin}/@${name}`;
  }

  /** Custom domains have the scheme and port of the pages URL. */
  #domainOrigin(domain: string): string {
    const url = new URL(this.origin);
    url.hostname = domain;
    return url.origin;
  }
}

/** Redirects have no host, because without `PUBLIC_URL` only the client knows it. */
function pathOf(name: string, file: PageFile): string {
  return file === 'page' ? `/@${name}` : `/@${name}/${file}`;
}

/** The tags of the address are counted at the target. */
function redirectTarget({ url }: FastifyRequest, target: string, file: PageFile): string {
  const tags = file === 'page' ? campaignTags(url).toString() : '';
  return tags === '' ? target : `${target}?${tags}`;
}

function nameOf({ domain, params }: FastifyRequest<NameParams>): string | null | undefined {
  return domain ? domain.name : parseName(params.name);
}

/** Returns undefined unless a browser sent the ping from a page on this host. */
function clickedUrl({ headers }: FastifyRequest): string | undefined {
  if (!isFromSameOrigin(headers) || !isBrowser(headers)) return undefined;
  return safeLinkUrl(headers['ping-to']);
}

/**
 * Old browsers, and all browsers on plain HTTP, omit `Sec-Fetch-Site`. They do send `Ping-From`,
 * the URL of the page.
 */
function isFromSameOrigin(headers: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const from = headers['ping-from'];
  return typeof from === 'string' && URL.parse(from)?.host === headers.host?.toLowerCase();
}

const NAME_PATTERN = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Returns the lowercase display name, or undefined if the text cannot be one. */
export function parseName(text: string): string | undefined {
  const name = text.toLowerCase();
  return NAME_PATTERN.test(name) ? name : undefined;
}
