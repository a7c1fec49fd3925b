import { type Signal, batch, computed, effect, signal } from '@preact/signals';
import { ConflictError } from '#client/errors.ts';
import type {
  PageOperations,
  UpdatePageRequest,
  GetPageVersionResponse,
} from '#client/generated/owner-operations.ts';
import { type History, recordChange, createHistory, redo, undo } from './history.ts';
import { type Block, type Site, toRequest, toSite } from './site.ts';
import { toSavableSite } from './validation.ts';

/** A save that failed because the site was also changed elsewhere. */
export interface Conflict {
  version: number;
  theirs: Site;
}

interface StoredSite {
  version: number;
  site: Site;
}

/** Unsaved changes that survive a reload of the tab. */
interface StoredDraft {
  stored: StoredSite;
  draft: Site;
}

export interface DraftStorage {
  read: () => unknown;
  write: (draft: unknown) => void;
}

/** Changes with the same key within this time are one undo step. */
const UNDO_STEP_MS = 1_000;

/** The site in the editor, with the stored version and the undo history. */
export class Draft {
  readonly #pages: Pick<PageOperations, 'getPageVersion' | 'updatePage' | 'restorePageVersion'>;
  readonly #storage: DraftStorage;
  readonly #stored: Signal<StoredSite | undefined> = signal();
  readonly #history: Signal<History<Site> | undefined> = signal();
  #lastChange = { key: '', at: 0 };

  readonly site = computed(() => this.#history.value?.present);
  /** The stored version that the draft is based on. */
  readonly version = computed(() => this.#stored.value?.version);
  readonly canUndo = computed(() => Boolean(this.#history.value?.past.length));
  readonly canRedo = computed(() => Boolean(this.#history.value?.future.length));
  /** Whether anything is unsaved, also if it is unfinished. */
  readonly isChanged = computed(
    () =>
      this.site.value !== undefined &&
      this.#stored.value !== undefined &&
      Object.keys(changedFields(this.site.value, this.#stored.value.site)).length > 0,
  );
  /** Whether there is a finished change to save. */
  readonly canSave = computed(() => Object.keys(this.changesToSave()).length > 0);
  readonly savableSite = computed(() =>
    this.site.value && this.#stored.value
      ? toSavableSite(this.site.value, this.#stored.value.site)
      : undefined,
  );

  constructor(
    pages: Pick<PageOperations, 'getPageVersion' | 'updatePage' | 'restorePageVersion'>,
    storage: DraftStorage,
  ) {
    this.#pages = pages;
    this.#storage = storage;
    effect(() => {
      const draft = this.site.value;
      const stored = this.#stored.value;
      if (draft) storage.write(this.isChanged.value ? { stored, draft } : undefined);
    });
  }

  /** Loads the site. Keeps unsaved changes, including those made before a reload of the tab. */
  async load(): Promise<void> {
    const version = await this.#pages.getPageVersion();
    const storedDraft = this.#storage.read() as StoredDraft | undefined;
    if (!this.site.peek() && storedDraft) this.#start(storedDraft.stored, storedDraft.draft);
    else if (!this.isChanged.peek()) this.#reset(version);
  }

  /** Changes the draft. Quick changes with the same `key`, such as typing, are one undo step. */
  change(key: string, changes: Partial<Site>): void {
    const current = this.#history.peek();
    if (!current) return;
    const now = Date.now();
    const isSameStep = this.#lastChange.key === key && now - this.#lastChange.at < UNDO_STEP_MS;
    this.#lastChange = { key, at: now };
    this.#history.value = recordChange(current, { ...current.present, ...changes }, { isSameStep });
  }

  changeBlock(id: string, key: string, changes: Partial<Block>): void {
    const { blocks } = this.site.peek()!;
    // Undefined if the block was deleted, for example during an upload.
    const former = blocks.find((block) => block.id === id) as Record<string, unknown> | undefined;
    // Changes of two items of a list are two steps.
    const itemChanges = Object.entries(changes).map(([name, list]) => {
      const formerList = former?.[name];
      if (!Array.isArray(list) || !Array.isArray(formerList)) return '';
      const index = list.findIndex((item, at) => item !== formerList[at]);
      return `${formerList.length} ${list.length} ${index}`;
    });
    this.change(`${id} ${key} ${itemChanges.join()}`, {
      blocks: blocks.map((block) =>
        block.id === id ? (withoutUndefined({ ...block, ...changes }) as Block) : block,
      ),
    });
  }

  undo(): void {
    if (this.#history.peek()) this.#history.value = undo(this.#history.peek()!);
    this.#lastChange = { key: '', at: 0 };
  }

  redo(): void {
    if (this.#history.peek()) this.#history.value = redo(this.#history.peek()!);
    this.#lastChange = { key: '', at: 0 };
  }

  discard(): void {
    const stored = this.#stored.peek();
    if (stored) this.change('', stored.site);
  }

  changesToSave(): Partial<ReturnType<typeof toRequest>> {
    const site = this.savableSite.value;
    const stored = this.#stored.value?.site;
    return site && stored ? changedFields(toRequest(site), toRequest(stored)) : {};
  }

  /**
   * The block at an index of the save request. Indexes in the draft differ, because the request
   * includes the page settings and leaves out new blocks that are unfinished.
   */
  blockAtRequestIndex(index: number): Block | undefined {
    const site = this.savableSite.peek();
    return site && toRequest(site).blocks[index];
  }

  /**
   * Saves the finished changes. If the site was also changed elsewhere, saves nothing and returns the
   * conflict.
   */
  async save(): Promise<Conflict | undefined> {
    const base = this.#stored.peek();
    const site = this.savableSite.peek();
    const sentChanges = this.changesToSave();
    if (!base || !site || Object.keys(sentChanges).length === 0) return undefined;
    try {
      const request = { version: base.version, ...sentChanges } as UpdatePageRequest;
      const { version } = await this.#pages.updatePage(request);
      // The saved site, not the current draft: text typed during the request stays unsaved.
      this.#stored.value = { version, site };
      return undefined;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    const newest = await this.#pages.getPageVersion();
    return { version: newest.version, theirs: toSite(newest) };
  }

  /** Saves the draft instead of their version, which stays in the list of versions. */
  keepMine({ version, theirs }: Conflict): Promise<Conflict | undefined> {
    this.#stored.value = { version, site: theirs };
    return this.save();
  }

  /** Replaces the draft, which undo brings back. */
  loadTheirs({ version, theirs }: Conflict): void {
    batch(() => {
      this.#stored.value = { version, site: theirs };
      this.change('', theirs);
    });
  }

  async restore(version: number): Promise<void> {
    await this.#pages.restorePageVersion({ version });
    this.#reset(await this.#pages.getPageVersion());
  }

  #reset(version: GetPageVersionResponse): void {
    const site = toSite(version);
    this.#start({ version: version.version, site }, site);
  }

  #start(stored: StoredSite, draft: Site): void {
    batch(() => {
      this.#stored.value = stored;
      this.#history.value = createHistory(draft);
    });
  }
}

export function withoutUndefined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function changedFields<Fields extends object>(site: Fields, stored: Fields): Partial<Fields> {
  const names = Object.keys(site) as (keyof Fields)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(site[name]) !== JSON.stringify(stored[name]))
      .map((name) => [name, site[name]]),
  ) as Partial<Fields>;
}
