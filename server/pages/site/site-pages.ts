import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  type PageState,
  type PublicSiteRow,
  findPageStates,
  findPublicSites,
} from '../../../db/queries/public-sites.ts';
import type { Database } from '../../../db/schema.ts';
import type { Figures } from '../../service/metrics/figures.ts';
import { showSite } from '../../service/site-page/show-site.ts';
import { together } from '../../service/together.ts';
import {
  type Encoding,
  type Representation,
  represent,
  sizeOf,
} from '../../http/representation.ts';
import { type BadgeFile, type PageFile, badgeOf, renderings } from './renderings.ts';

/** What all that is kept may take together, in bytes: about twenty thousand pages. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Names that one statement looks up, and sites that one reads: these may be large. */
const STATES = 100;
const SITES = 8;

interface SitePagesOptions {
  reads: Kysely<Database>;
  figures: Figures;
  mailDomain: string;
  abuseContact: string | undefined;
  maxBytes?: number;
}

/** What is asked for: a file of the page of a name, in an encoding. */
interface Wanted {
  name: string;
  url: string;
  file: PageFile;
  encoding: Encoding;
}

/** What was rendered, and of which state of its page. */
interface Rendered {
  state: PageState;
  representation: Representation;
}

/**
 * The pages of all names and their files, each rendered once for everybody until its site changes.
 * Whether a page is there, and in which state, is asked anew by every request.
 */
export class SitePages {
  readonly #findState: (name: string) => Promise<PageState | undefined>;
  readonly #findSite: (name: string) => Promise<PublicSiteRow | undefined>;
  readonly #figures: Figures;
  readonly #mailDomain: string;
  readonly #make: ReturnType<typeof renderings>;
  readonly #kept: LRUCache<string, Rendered>;
  readonly #underWay = new Map<string, Promise<Rendered | undefined>>();

  constructor(options: SitePagesOptions) {
    const { reads, figures, mailDomain, abuseContact, maxBytes = MAX_BYTES } = options;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ representation }) => sizeOf(representation),
    });
    this.#findState = together((names) => findPageStates(reads, names), STATES);
    this.#findSite = together((names) => findPublicSites(reads, names), SITES);
    this.#figures = figures;
    this.#mailDomain = mailDomain;
    this.#make = renderings(abuseContact);
  }

  /** Whether the page of a name is there for everybody to see. */
  async has(name: string): Promise<boolean> {
    return (await this.#findState(name)) !== undefined;
  }

  /** A file of the page of a name; undefined unless the page is there for everybody to see. */
  async find(wanted: Wanted): Promise<Rendered | undefined> {
    const state = await this.#findState(wanted.name);
    if (!state) return undefined;
    const key = `${wanted.encoding} ${wanted.file} ${wanted.url}`;
    const kept = this.#kept.get(key);
    if (isOf(kept, state)) return kept;
    // What was begun before may be of another state: whether it is of this one shows at its end.
    const underWay = this.#underWay.get(key);
    const rendered = underWay && (await underWay);
    return isOf(rendered, state) ? rendered : this.#render(wanted, key);
  }

  #render(wanted: Wanted, key: string): Promise<Rendered | undefined> {
    const rendering = this.#renderNow(wanted, key).finally(() => {
      if (this.#underWay.get(key) === rendering) this.#underWay.delete(key);
    });
    this.#underWay.set(key, rendering);
    return rendering;
  }

  async #renderNow(
    { name, url, file, encoding }: Wanted,
    key: string,
  ): Promise<Rendered | undefined> {
    const row = await this.#findSite(name);
    if (!row) return undefined;
    const now = new Date();
    const { site, until } = await showSite(
      row,
      { name, now, mailDomain: this.#mailDomain },
      showsNumbers(file) ? this.#figures : undefined,
    );
    const content = await (isBadge(file)
      ? badgeOf(site, file)
      : this.#make[file]({ site, url, now }));
    if (!content) return undefined;
    const { account_id, version, has_mail } = row;
    const rendered = {
      state: { account_id, version, has_mail },
      representation: await represent(content, encoding),
    };
    this.#kept.set(key, rendered, {
      // The picture is drawn anew only for another version.
      ...(until && file !== 'card.png' && { ttl: Math.max(1, until.getTime() - Date.now()) }),
    });
    return rendered;
  }
}

/** Whether it was rendered of this state of its page. */
function isOf(rendered: Rendered | undefined, state: PageState): boolean {
  return (
    rendered?.state.version === state.version &&
    rendered.state.account_id === state.account_id &&
    rendered.state.has_mail === state.has_mail
  );
}

/** Other files stay as they are while numbers change. */
function showsNumbers(file: PageFile): boolean {
  return file === 'page' || file === 'page.json' || isBadge(file);
}

function isBadge(file: PageFile): file is BadgeFile {
  return file.startsWith('metric/');
}
