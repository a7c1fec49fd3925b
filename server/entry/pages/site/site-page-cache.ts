import { LRUCache } from 'lru-cache';
import type { Block } from '#contract/block.ts';
import { parseStoredPicture } from '#contract/shared/pictures.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findPictureFiles, findPictureVisibility, pictureKey } from '#db/queries/pictures.ts';
import {
  type PageLookup,
  type PageState,
  type PublicSiteRow,
  findPageStates,
  findPages,
  findRedirects,
  findWholePages,
  pageKey,
} from '#db/queries/public-sites.ts';
import { findContactForm, hasContactForm } from '#page/blocks/contact-form.ts';
import type { MessageResponse } from '#page/public-site.ts';
import type { Core } from '#server/core.ts';
import type { PageMetrics } from '#server/features/metrics/page-metrics.ts';
import { buildPublicSite } from '#server/features/sites/build-public-site.ts';
import { type ReportContactApp, reportContactOf } from '#server/features/sites/report-contact.ts';
import {
  type Content,
  type Encoding,
  type Representation,
  createRepresentation,
  memorySize,
} from '#server/platform/http/responses/representation.ts';
import { toPageInstance } from '#server/platform/instance-store.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { type BlockFile, type PageFile, renderBlockFile, createRenderers } from './page-files.ts';

/** About twenty thousand pages. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Per SQL statement. Whole sites can be large. */
const PAGE_BATCH_SIZE = 100;
const WHOLE_PAGE_BATCH_SIZE = 16;

const NO_LINKS: ReadonlySet<string> = new Set();

type SitePageApp = Pick<
  Core,
  'config' | 'instanceStore' | 'origin' | 'outbox' | 'pageReadDb' | 'pagesOrigin'
> &
  ReportContactApp & {
    covers: object | undefined;
    metrics: PageMetrics;
    visitors: object | undefined;
  };

export type CanSee = (state: PageState) => boolean | Promise<boolean>;

interface RenderRequest {
  name: string;
  url: string;
  file: PageFile;
  encoding: Encoding;
}

interface RenderedFile {
  state: PageState;
  representation: Representation;
  countedUrls: ReadonlySet<string>;
  /** Unix time in milliseconds; undefined if the file is valid until the state changes. */
  expiresAt: number | undefined;
}

export interface ContactForm {
  accountId: string;
  /** The block with this id, or else the page's first form. */
  findForm: (id: string) => Block;
  renderResponse: (url: string, response: MessageResponse) => Promise<Content>;
}

interface InFlightRendering {
  state: PageState;
  rendering: Promise<RenderedFile | undefined>;
}

/**
 * Renders each file once per URL and encoding, and caches it until the site changes or the file
 * expires. Every request still looks up the current state of the page.
 */
export class SitePageCache {
  /** Resolves to the current name of the page that a former name redirects to. */
  readonly findRedirect: (formerName: string) => Promise<string | undefined>;
  readonly #findState: (name: string) => Promise<PageState | undefined>;
  readonly #findPage: (key: string) => Promise<PageLookup | undefined>;
  readonly #findWholePage: (key: string) => Promise<PageLookup | undefined>;
  readonly #app: SitePageApp;
  readonly #renderers: ReturnType<typeof createRenderers>;
  readonly #cache: LRUCache<string, RenderedFile>;
  readonly #inFlight = new Map<string, InFlightRendering>();

  constructor(app: SitePageApp, maxBytes = MAX_CACHE_BYTES) {
    const { instanceStore, pageReadDb: readDb } = app;
    this.#app = app;
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ representation, countedUrls }) =>
        [...countedUrls].reduce((size, { length }) => size + length, memorySize(representation)),
    });
    this.#findState = batchLookup((names) => findPageStates(readDb, names), {
      gate: 'pages',
      maxKeysPerBatch: PAGE_BATCH_SIZE,
    });
    this.findRedirect = batchLookup((names) => findRedirects(readDb, names), {
      gate: 'pages',
      maxKeysPerBatch: PAGE_BATCH_SIZE,
    });
    this.#findPage = batchLookup((keys) => findPages(readDb, keys), {
      gate: 'pages',
      maxKeysPerBatch: PAGE_BATCH_SIZE,
    });
    this.#findWholePage = batchLookup((keys) => findWholePages(readDb, keys), {
      gate: 'pages',
      maxKeysPerBatch: WHOLE_PAGE_BATCH_SIZE,
    });
    this.#renderers = createRenderers({
      footer: () => ({
        abuseContact: reportContactOf(app),
        instance: toPageInstance(instanceStore.current, app.origin()),
      }),
      findAvatar: (address) => findVisiblePicture(readDb, address),
    });
  }

  async has(name: string, canSee: CanSee): Promise<boolean> {
    const state = await this.#findState(name);
    return state !== undefined && canSee(state);
  }

  /** Resolves to undefined if the page does not exist or the caller cannot see it. */
  async find(request: RenderRequest, canSee: CanSee): Promise<RenderedFile | undefined> {
    const key = `${this.#app.instanceStore.version} ${request.encoding} ${request.file} ${request.url}`;
    const findLatest = () => this.#inFlight.get(key) ?? this.#cache.get(key);
    const cached = findLatest();
    const find = request.file === 'page' ? this.#findPage : this.#findWholePage;
    const pageData = await find(pageKey(request.name, cached?.state));
    if (!pageData || !(await canSee(pageData.state))) return undefined;
    const { state, site } = pageData;
    // Another request may have rendered the file during the lookup.
    const latest = site ? findLatest() : cached;
    const isCurrent = latest && (!site || hasState(latest, state));
    const rendered = isCurrent
      ? await ('rendering' in latest ? latest.rendering : latest)
      : site && (await this.#render(request, site, { key, state }));
    // The rendering does not depend on the whole state, so return the current state.
    return rendered && { ...rendered, state };
  }

  /** Undefined if the caller cannot see the page or it has no contact form. */
  async findContactForm(name: string, canSee: CanSee): Promise<ContactForm | undefined> {
    const page = await this.#findPage(name);
    if (!page?.site || !(await canSee(page.state))) return undefined;
    const now = new Date();
    const { site } = await buildPublicSite(this.#app, page.site, { name, now });
    if (!hasContactForm(site)) return undefined;
    return {
      accountId: page.state.account_id,
      findForm: (id) => findContactForm(site, id)!,
      renderResponse: async (url, messageResponse) =>
        (await this.#renderers.page({ site, url, now, messageResponse }))!,
    };
  }

  #render(
    request: RenderRequest,
    row: PublicSiteRow,
    { key, state }: { key: string; state: PageState },
  ): Promise<RenderedFile | undefined> {
    const rendering = this.#renderUncached(request, row, { key, state }).finally(() => {
      if (this.#inFlight.get(key)?.rendering === rendering) this.#inFlight.delete(key);
    });
    this.#inFlight.set(key, { state, rendering });
    return rendering;
  }

  async #renderUncached(
    { name, url, file, encoding }: RenderRequest,
    row: PublicSiteRow,
    { key, state }: { key: string; state: PageState },
  ): Promise<RenderedFile | undefined> {
    const now = new Date();
    const showsMetrics = file === 'page' || file === 'page.json' || file.startsWith('metric/');
    const { site, until } = await buildPublicSite(this.#app, row, {
      name,
      now,
      pageMetrics: showsMetrics ? this.#app.metrics : undefined,
    });
    const countsVisits = state.counts_visits && this.#app.visitors !== undefined;
    const pingPath = countsVisits ? new URL(`${url}/click`).pathname : undefined;
    const input = { site, url, now, pingPath };
    const content = await (isBlockFile(file)
      ? renderBlockFile(input, file)
      : this.#renderers[file](input));
    if (!content) return undefined;
    const representation = await createRepresentation(content, encoding);
    return this.#store(key, {
      state,
      representation,
      countedUrls: content.countedUrls ?? NO_LINKS,
      // The card is drawn again only for a new version of the site.
      expiresAt: file.endsWith('.png') ? undefined : until?.getTime(),
    });
  }

  #store(key: string, rendered: RenderedFile): RenderedFile {
    const { expiresAt } = rendered;
    this.#cache.set(key, rendered, {
      ...(expiresAt !== undefined && { ttl: Math.max(1, expiresAt - Date.now()) }),
    });
    return rendered;
  }
}

function hasState(rendered: Pick<RenderedFile, 'state'>, state: PageState): boolean {
  return (
    rendered.state.version === state.version &&
    rendered.state.account_id === state.account_id &&
    rendered.state.has_mail === state.has_mail &&
    rendered.state.has_confirmed_address === state.has_confirmed_address &&
    rendered.state.counts_visits === state.counts_visits &&
    rendered.state.for_members === state.for_members
  );
}

function isBlockFile(file: PageFile): file is BlockFile {
  return file.includes('/');
}

async function findVisiblePicture(
  readDb: ReadDatabase,
  address: string | null,
): Promise<Buffer | undefined> {
  const picture = parseStoredPicture(address);
  if (!picture) return undefined;
  const states = await findPictureVisibility(readDb, [picture.id]);
  if (!states.get(picture.id)?.visible) return undefined;
  const key = pictureKey(picture.id, 512);
  return (await findPictureFiles(readDb, [key])).get(key);
}
