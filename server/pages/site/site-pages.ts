import { parseStoredPicture } from '#contract/pictures.ts';
import type { Reads } from '#db/connections/databases.ts';
import { findPictureFiles, findPictureStates, pictureKey } from '#db/queries/pictures.ts';
import { LRUCache } from 'lru-cache';
import {
  type PageFound,
  type PageState,
  type PublicSiteRow,
  findPageStates,
  findPages,
  findWholePages,
  pageKey,
} from '#db/queries/sites/public-sites.ts';
import type { PageNumbers } from '#server/features/metrics/page-numbers.ts';
import { buildPublicSite } from '#server/features/sites/build-public-site.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';
import {
  type Encoding,
  type Representation,
  represent,
  sizeOf,
} from '#server/http/answers/representation.ts';
import { type BadgeFile, type PageFile, badgeOf, renderings } from './renderings.ts';

/** Limit of all that is kept, in bytes: about twenty thousand pages. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Pages that one statement looks up, and whole sites: these may be large. */
const PAGES = 100;
const WHOLE_PAGES = 16;

const NONE: ReadonlySet<string> = new Set();

interface SitePagesOptions {
  reads: Reads;
  pageNumbers: PageNumbers;
  mailDomain: string;
  noindexDays: number;
  abuseContact?: string | undefined;
  maxBytes?: number;
}

/** Request for a rendering: a file of the page of a name, in an encoding. */
interface Wanted {
  name: string;
  url: string;
  file: PageFile;
  encoding: Encoding;
}

/** Rendering, and the state of the page that it shows. */
interface Rendered {
  state: PageState;
  representation: Representation;
  /** Addresses of links whose clicks are counted. */
  links: ReadonlySet<string>;
  /** Until when it is shown, in milliseconds since 1970; undefined for as long as its state stays. */
  until: number | undefined;
}

/** Rendering that is under way. */
interface UnderWay {
  state: PageState;
  rendering: Promise<Rendered | undefined>;
}

/**
 * The pages of all names and their files, each rendered once for everybody until its site changes.
 * Whether a page is there, and in which state, is asked anew by every request.
 */
export class SitePages {
  readonly #findState: (name: string) => Promise<PageState | undefined>;
  readonly #findPage: (key: string) => Promise<PageFound | undefined>;
  readonly #findWholePage: (key: string) => Promise<PageFound | undefined>;
  readonly #pageNumbers: PageNumbers;
  readonly #mailDomain: string;
  readonly #noindexDays: number;
  readonly #make: ReturnType<typeof renderings>;
  readonly #kept: LRUCache<string, Rendered>;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(options: SitePagesOptions) {
    const {
      reads,
      pageNumbers: figures,
      mailDomain,
      noindexDays,
      abuseContact,
      maxBytes = MAX_BYTES,
    } = options;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ representation, links }) =>
        [...links].reduce((size, { length }) => size + length, sizeOf(representation)),
    });
    this.#findState = batchLookup((names) => findPageStates(reads, names), {
      gate: 'pages',
      limit: PAGES,
    });
    this.#findPage = batchLookup((keys) => findPages(reads, keys), { gate: 'pages', limit: PAGES });
    this.#findWholePage = batchLookup((keys) => findWholePages(reads, keys), {
      gate: 'pages',
      limit: WHOLE_PAGES,
    });
    this.#pageNumbers = figures;
    this.#mailDomain = mailDomain;
    this.#noindexDays = noindexDays;
    this.#make = renderings({
      abuseContact,
      findAvatar: (address) => findVisiblePicture(reads, address),
    });
  }

  /** Whether the page of a name is there for everybody to see. */
  async has(name: string): Promise<boolean> {
    return (await this.#findState(name)) !== undefined;
  }

  /** A file of the page of a name; undefined unless the page is there for everybody to see. */
  async find(wanted: Wanted): Promise<Rendered | undefined> {
    const key = `${wanted.encoding} ${wanted.file} ${wanted.url}`;
    const known = this.#kept.get(key) ?? this.#underWay.get(key);
    const find = wanted.file === 'page' ? this.#findPage : this.#findWholePage;
    const found = await find(pageKey(wanted.name, known?.state));
    if (!found) return undefined;
    const { state, site } = found;
    // Others may have rendered it meanwhile.
    const meanwhile = [this.#kept.get(key), this.#underWay.get(key)];
    const current = site ? meanwhile.find((one) => one && isOf(one, state)) : known;
    const rendered = current
      ? await ('rendering' in current ? current.rendering : current)
      : site && (await this.#render(wanted, site, { key, state }));
    // The present state, of which the rendering may not show everything.
    return rendered && { ...rendered, state };
  }

  #render(
    wanted: Wanted,
    row: PublicSiteRow,
    { key, state }: { key: string; state: PageState },
  ): Promise<Rendered | undefined> {
    const rendering = this.#renderNow(wanted, row, { key, state }).finally(() => {
      if (this.#underWay.get(key)?.rendering === rendering) this.#underWay.delete(key);
    });
    this.#underWay.set(key, { state, rendering });
    return rendering;
  }

  async #renderNow(
    { name, url, file, encoding }: Wanted,
    row: PublicSiteRow,
    { key, state }: { key: string; state: PageState },
  ): Promise<Rendered | undefined> {
    const now = new Date();
    const { site, until } = await buildPublicSite(
      row,
      { name, now, mailDomain: this.#mailDomain, noindexDays: this.#noindexDays },
      showsNumbers(file) ? this.#pageNumbers : undefined,
    );
    const content = await (isBadge(file)
      ? badgeOf(site, file)
      : this.#make[file]({
          site,
          url,
          now,
          clickPath: state.counts_visits ? clicksPath(url) : undefined,
        }));
    if (!content) return undefined;
    const representation = await represent(content, encoding);
    return this.#keep(key, {
      state,
      representation,
      links: content.links ?? NONE,
      // The picture is drawn anew only for another version.
      until: file === 'card.png' ? undefined : until?.getTime(),
    });
  }

  #keep(key: string, rendered: Rendered): Rendered {
    const { until } = rendered;
    this.#kept.set(key, rendered, {
      ...(until !== undefined && { ttl: Math.max(1, until - Date.now()) }),
    });
    return rendered;
  }
}

/** Whether it was rendered of this state of its page. */
function isOf(rendered: Pick<Rendered, 'state'>, state: PageState): boolean {
  return (
    rendered.state.version === state.version &&
    rendered.state.account_id === state.account_id &&
    rendered.state.has_mail === state.has_mail &&
    rendered.state.counts_visits === state.counts_visits
  );
}

/** Other files stay as they are while numbers change. */
function showsNumbers(file: PageFile): boolean {
  return file === 'page' || file === 'page.json' || isBadge(file);
}

/** Path below a page that its links send clicks to. */
function clicksPath(url: string): string {
  return new URL(`${url}/click`).pathname;
}

function isBadge(file: PageFile): file is BadgeFile {
  return file.startsWith('metric/');
}

/** The file of a picture stored here, if everybody may see it. */
async function findVisiblePicture(
  reads: Reads,
  address: string | null,
): Promise<Buffer | undefined> {
  const picture = parseStoredPicture(address);
  if (!picture) return undefined;
  const states = await findPictureStates(reads, [picture.id]);
  if (!states.get(picture.id)?.visible) return undefined;
  const key = pictureKey(picture.id, 512);
  return (await findPictureFiles(reads, [key])).get(key);
}
