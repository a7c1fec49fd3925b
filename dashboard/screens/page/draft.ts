import { type Signal, batch, computed, effect, signal } from '@preact/signals';
import { ConflictError } from '../../../client/src/errors.ts';
import type {
  PageOperations,
  SavePageRequest,
  SiteVersionResponse,
} from '../../../client/src/owner-operations.ts';
import { countChanges } from './changes.ts';
import { finished } from './flaws.ts';
import { type History, changed, historyOf, redone, undone } from './history.ts';
import { type Block, type Site, requestOf, siteOf } from './site.ts';

type Part = keyof Site;

/** Conflict of a save where the site was changed elsewhere, too. */
export interface Clash {
  version: number;
  theirs: Site;
  /** Parts that both changed. */
  parts: Part[];
}

/** The site as the server has it. */
interface Stored {
  version: number;
  site: Site;
}

/** State that outlives a reload of the tab. */
interface Kept {
  stored: Stored;
  draft: Site;
}

/** Where unsaved changes are kept; `undefined` removes them. */
export interface Keeping {
  kept: () => unknown;
  keep: (draft: unknown) => void;
}

/** Changes of the same thing within this time are one step back. */
const STEP_MS = 1_000;

/** A site that is being edited: what is stored, what is on the screen, and the way back. */
export class Draft {
  readonly #pages: Pick<PageOperations, 'getVersion' | 'save' | 'restoreVersion'>;
  readonly #keeping: Keeping;
  readonly #stored: Signal<Stored | undefined> = signal();
  readonly #history: Signal<History<Site> | undefined> = signal();
  #last = { what: '', at: 0 };

  /** Site on the screen; undefined until it is loaded. */
  readonly site = computed(() => this.#history.value?.present);
  /** The version that a save says it is about. */
  readonly version = computed(() => this.#stored.value?.version);
  readonly canUndo = computed(() => Boolean(this.#history.value?.past.length));
  readonly canRedo = computed(() => Boolean(this.#history.value?.future.length));
  /** Whether anything is not as it is stored. */
  readonly isChanged = computed(() => Object.keys(this.#changes()).length > 0);
  /** How many things are not as they are stored. */
  readonly changeCount = computed(() =>
    this.site.value && this.#stored.value
      ? countChanges(this.#stored.value.site, this.site.value)
      : 0,
  );
  /** Whether there is something to save. */
  readonly canSave = computed(() => Object.keys(this.unsaved()).length > 0);
  /** The draft without what is not finished. */
  readonly savable = computed(() =>
    this.site.value && this.#stored.value
      ? finished(this.site.value, this.#stored.value.site)
      : undefined,
  );

  constructor(
    pages: Pick<PageOperations, 'getVersion' | 'save' | 'restoreVersion'>,
    keeping: Keeping,
  ) {
    this.#pages = pages;
    this.#keeping = keeping;
    effect(() => {
      const [draft, stored] = [this.site.value, this.#stored.value];
      if (draft) keeping.keep(this.isChanged.value ? { stored, draft } : undefined);
    });
  }

  /** Reads the site, unless there is something unsaved of it. */
  async load(): Promise<void> {
    const version = await this.#pages.getVersion();
    const kept = this.#keeping.kept() as Kept | undefined;
    if (!this.site.peek() && kept) this.#begin(kept.stored, kept.draft);
    else if (!this.isChanged.peek()) this.#accept(version);
  }

  /** Changes the draft; `what` is the same for what is one step back, like the letters of a word. */
  change(what: string, changes: Partial<Site>): void {
    const current = this.#history.peek();
    if (!current) return;
    const now = Date.now();
    const isSameStep = this.#last.what === what && now - this.#last.at < STEP_MS;
    this.#last = { what, at: now };
    this.#history.value = changed(current, { ...current.present, ...changes }, { isSameStep });
  }

  /** Changes one of the blocks. */
  changeBlock(id: string, what: string, changes: Partial<Block>): void {
    const { blocks } = this.site.peek()!;
    this.change(`${id} ${what}`, {
      blocks: blocks.map((block) =>
        block.id === id ? (withoutUndefined({ ...block, ...changes }) as Block) : block,
      ),
    });
  }

  undo(): void {
    if (this.#history.peek()) this.#history.value = undone(this.#history.peek()!);
    this.#last = { what: '', at: 0 };
  }

  redo(): void {
    if (this.#history.peek()) this.#history.value = redone(this.#history.peek()!);
    this.#last = { what: '', at: 0 };
  }

  /** Goes back to what is stored; an undo brings the rest back. */
  discard(): void {
    const stored = this.#stored.peek();
    if (stored) this.change('', stored.site);
  }

  /** The finished changes, as a save sends them. */
  unsaved(): Partial<ReturnType<typeof requestOf>> {
    const [site, stored] = [this.savable.value, this.#stored.value?.site];
    return site && stored ? changesOf(requestOf(site), requestOf(stored)) : {};
  }

  /** The block at an index of the request that a save sends. */
  blockSavedAt(index: number): Block | undefined {
    const site = this.savable.peek();
    return site && requestOf(site).blocks[index];
  }

  /**
   * Saves what was changed. If the site was changed elsewhere meanwhile, what was changed there stays;
   * what both changed is nobody's to overwrite: that is returned, and nothing is saved.
   */
  async save(): Promise<Clash | undefined> {
    const base = this.#stored.peek();
    const site = this.savable.peek();
    const sent = this.unsaved();
    const mine = this.#changes();
    if (!base || !site || Object.keys(sent).length === 0) return undefined;
    try {
      const request = { version: base.version, ...sent } as SavePageRequest;
      const { version } = await this.#pages.save(request);
      // Text typed while it was saved stays unsaved.
      this.#stored.value = { version, site };
      return undefined;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    const newest = await this.#pages.getVersion();
    const theirs = siteOf(newest);
    const there = changesOf(theirs, base.site);
    const parts = (Object.keys(mine) as Part[]).filter(
      (part) => part in there && JSON.stringify(mine[part]) !== JSON.stringify(theirs[part]),
    );
    const clash = { version: newest.version, theirs, parts };
    return parts.length > 0 ? clash : this.resolve(clash, 'mine');
  }

  /** Saves after a clash: with what is on the screen where both changed something, or with what is stored. */
  resolve({ version, theirs, parts }: Clash, whose: 'mine' | 'theirs'): Promise<Clash | undefined> {
    const mine = this.#changes();
    if (whose === 'theirs') for (const part of parts) delete mine[part];
    batch(() => {
      this.#stored.value = { version, site: theirs };
      this.#history.value = { ...this.#history.peek()!, present: { ...theirs, ...mine } };
    });
    return this.save();
  }

  /** Makes the site what it was in a version. */
  async restore(version: number): Promise<void> {
    await this.#pages.restoreVersion({ version });
    this.#accept(await this.#pages.getVersion());
  }

  /** The parts of the draft that are not as they are stored, finished or not. */
  #changes(): Partial<Site> {
    const [site, stored] = [this.site.value, this.#stored.value?.site];
    return site && stored ? changesOf(site, stored) : {};
  }

  #accept(version: SiteVersionResponse): void {
    const site = siteOf(version);
    this.#begin({ version: version.version, site }, site);
  }

  #begin(stored: Stored, draft: Site): void {
    batch(() => {
      this.#stored.value = stored;
      this.#history.value = historyOf(draft);
    });
  }
}

export function withoutUndefined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The fields of `site` that differ from `stored`. */
function changesOf<Fields extends object>(site: Fields, stored: Fields): Partial<Fields> {
  const parts = Object.keys(site) as (keyof Fields)[];
  return Object.fromEntries(
    parts
      .filter((part) => JSON.stringify(site[part]) !== JSON.stringify(stored[part]))
      .map((part) => [part, site[part]]),
  ) as Partial<Fields>;
}
