import { type Signal, batch, computed, effect, signal } from '@preact/signals';
import { ConflictError } from '../../../client/src/errors.ts';
import type {
  PageOperations,
  SavePageRequest,
  SiteVersionResponse,
} from '../../../client/src/owner-operations.ts';
import { countChanges } from './changes.ts';
import { savableSite } from './validation.ts';
import { type History, recordChange, newHistory, redo, undo } from './history.ts';
import { type Block, type Site, toRequest, toSite } from './site.ts';

type SiteField = keyof Site;

/** Conflict of a save where the site was changed elsewhere, too. */
export interface Conflict {
  version: number;
  theirs: Site;
  /** Parts that both changed. */
  parts: SiteField[];
}

/** The site as the server has it. */
interface StoredSite {
  version: number;
  site: Site;
}

/** State that outlives a reload of the tab. */
interface StoredDraft {
  stored: StoredSite;
  draft: Site;
}

/** Where unsaved changes are kept; `undefined` removes them. */
export interface DraftStorage {
  read: () => unknown;
  write: (draft: unknown) => void;
}

/** Changes of the same thing within this time are one step back. */
const UNDO_STEP_MS = 1_000;

/** A site that is being edited: what is stored, what is on the screen, and the way back. */
export class Draft {
  readonly #pages: Pick<PageOperations, 'getVersion' | 'save' | 'restoreVersion'>;
  readonly #storage: DraftStorage;
  readonly #stored: Signal<StoredSite | undefined> = signal();
  readonly #history: Signal<History<Site> | undefined> = signal();
  #lastChange = { what: '', at: 0 };

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
  readonly canSave = computed(() => Object.keys(this.unsavedChanges()).length > 0);
  /** The draft without what is not finished. */
  readonly savable = computed(() =>
    this.site.value && this.#stored.value
      ? savableSite(this.site.value, this.#stored.value.site)
      : undefined,
  );

  constructor(
    pages: Pick<PageOperations, 'getVersion' | 'save' | 'restoreVersion'>,
    keeping: DraftStorage,
  ) {
    this.#pages = pages;
    this.#storage = keeping;
    effect(() => {
      const [draft, stored] = [this.site.value, this.#stored.value];
      if (draft) keeping.write(this.isChanged.value ? { stored, draft } : undefined);
    });
  }

  /** Reads the site, unless there is something unsaved of it. */
  async load(): Promise<void> {
    const version = await this.#pages.getVersion();
    const kept = this.#storage.read() as StoredDraft | undefined;
    if (!this.site.peek() && kept) this.#start(kept.stored, kept.draft);
    else if (!this.isChanged.peek()) this.#reset(version);
  }

  /** Changes the draft; `what` is the same for what is one step back, like the letters of a word. */
  change(what: string, changes: Partial<Site>): void {
    const current = this.#history.peek();
    if (!current) return;
    const now = Date.now();
    const isSameStep = this.#lastChange.what === what && now - this.#lastChange.at < UNDO_STEP_MS;
    this.#lastChange = { what, at: now };
    this.#history.value = recordChange(current, { ...current.present, ...changes }, { isSameStep });
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
    if (this.#history.peek()) this.#history.value = undo(this.#history.peek()!);
    this.#lastChange = { what: '', at: 0 };
  }

  redo(): void {
    if (this.#history.peek()) this.#history.value = redo(this.#history.peek()!);
    this.#lastChange = { what: '', at: 0 };
  }

  /** Goes back to what is stored; an undo brings the rest back. */
  discard(): void {
    const stored = this.#stored.peek();
    if (stored) this.change('', stored.site);
  }

  /** The finished changes, as a save sends them. */
  unsavedChanges(): Partial<ReturnType<typeof toRequest>> {
    const [site, stored] = [this.savable.value, this.#stored.value?.site];
    return site && stored ? changedFields(toRequest(site), toRequest(stored)) : {};
  }

  /** The block at an index of the request that a save sends. */
  blockAtRequestIndex(index: number): Block | undefined {
    const site = this.savable.peek();
    return site && toRequest(site).blocks[index];
  }

  /**
   * Saves what was changed. If the site was changed elsewhere meanwhile, what was changed there stays;
   * what both changed is nobody's to overwrite: that is returned, and nothing is saved.
   */
  async save(): Promise<Conflict | undefined> {
    const base = this.#stored.peek();
    const site = this.savable.peek();
    const sent = this.unsavedChanges();
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
    const theirs = toSite(newest);
    const there = changedFields(theirs, base.site);
    const parts = (Object.keys(mine) as SiteField[]).filter(
      (part) => part in there && JSON.stringify(mine[part]) !== JSON.stringify(theirs[part]),
    );
    const clash = { version: newest.version, theirs, parts };
    return parts.length > 0 ? clash : this.resolve(clash, 'mine');
  }

  /** Saves after a clash: with what is on the screen where both changed something, or with what is stored. */
  resolve(
    { version, theirs, parts }: Conflict,
    whose: 'mine' | 'theirs',
  ): Promise<Conflict | undefined> {
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
    this.#reset(await this.#pages.getVersion());
  }

  /** The parts of the draft that are not as they are stored, finished or not. */
  #changes(): Partial<Site> {
    const [site, stored] = [this.site.value, this.#stored.value?.site];
    return site && stored ? changedFields(site, stored) : {};
  }

  #reset(version: SiteVersionResponse): void {
    const site = toSite(version);
    this.#start({ version: version.version, site }, site);
  }

  #start(stored: StoredSite, draft: Site): void {
    batch(() => {
      this.#stored.value = stored;
      this.#history.value = newHistory(draft);
    });
  }
}

export function withoutUndefined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The fields of `site` that differ from `stored`. */
function changedFields<Fields extends object>(site: Fields, stored: Fields): Partial<Fields> {
  const parts = Object.keys(site) as (keyof Fields)[];
  return Object.fromEntries(
    parts
      .filter((part) => JSON.stringify(site[part]) !== JSON.stringify(stored[part]))
      .map((part) => [part, site[part]]),
  ) as Partial<Fields>;
}
