import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type PageState, findPageState, findPublicSite } from '../../../db/queries/public-sites.ts';
import type { Database } from '../../../db/schema.ts';
import type { Figures } from '../../service/metrics/figures.ts';
import { showSite } from '../../service/site-page/show-site.ts';
import { type Representation, sizeOf } from '../../http/representation.ts';
import { type BadgeFile, type PageFile, badgeOf, renderings } from './renderings.ts';

/** What all that is kept may take together, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

interface SitePagesOptions {
  reads: Kysely<Database>;
  figures: Figures;
  mailDomain: string;
  abuseContact: string | undefined;
}

/** A file of a page, and whose page it is. */
interface Found {
  accountId: string;
  representation: Representation;
}

/**
 * The pages of all names and their files, each rendered once for everybody until its site changes.
 * Whether a page is there is asked anew by every request.
 */
export class SitePages {
  readonly #reads: Kysely<Database>;
  readonly #figures: Figures;
  readonly #mailDomain: string;
  readonly #make: ReturnType<typeof renderings>;
  readonly #kept = new LRUCache<string, Representation>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });
  readonly #underWay = new Map<string, Promise<Representation | undefined>>();

  constructor({ reads, figures, mailDomain, abuseContact }: SitePagesOptions) {
    this.#reads = reads;
    this.#figures = figures;
    this.#mailDomain = mailDomain;
    this.#make = renderings(abuseContact);
  }

  /** A file of the page of a name; undefined unless the page is there for everybody to see. */
  async find(name: string, url: string, file: PageFile): Promise<Found | undefined> {
    const state = await findPageState(this.#reads, name);
    if (!state) return undefined;
    const key = keyOf(name, url, state, file);
    const kept = this.#kept.get(key);
    const representation = kept ?? (await this.#renderOnce(name, url, key, file));
    return representation && { accountId: state.account_id, representation };
  }

  #renderOnce(name: string, url: string, key: string, file: PageFile) {
    const underWay = this.#underWay.get(key) ?? this.#render(name, url, key, file);
    this.#underWay.set(key, underWay);
    return underWay.finally(() => this.#underWay.delete(key));
  }

  async #render(
    name: string,
    url: string,
    key: string,
    file: PageFile,
  ): Promise<Representation | undefined> {
    const row = await findPublicSite(this.#reads, name);
    if (!row) return undefined;
    const now = new Date();
    const { site, until } = await showSite(
      row,
      { name, now, mailDomain: this.#mailDomain },
      showsNumbers(file) ? this.#figures : undefined,
    );
    const representation = await (isBadge(file)
      ? badgeOf(site, file)
      : this.#make[file]({ site, url, now }));
    // What was read may be newer than what was asked for.
    if (representation && keyOf(name, url, row, file) === key)
      this.#kept.set(key, representation, {
        // The picture is drawn anew only for another version.
        ...(until && file !== 'card.png' && { ttl: Math.max(1, until.getTime() - Date.now()) }),
      });
    return representation;
  }
}

/** Other files stay as they are while numbers change. */
function showsNumbers(file: PageFile): boolean {
  return file === 'page' || file === 'page.json' || isBadge(file);
}

function isBadge(file: PageFile): file is BadgeFile {
  return file.startsWith('metric/');
}

function keyOf(name: string, url: string, state: PageState, file: PageFile): string {
  return [file, name, url, state.account_id, state.version, state.has_mail].join(' ');
}
