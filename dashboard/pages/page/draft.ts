import { batch, computed, effect, signal } from '@preact/signals';
import { type Answer, api, owner } from '../../api/api.ts';
import { ConflictError } from '../../../client/src/errors.ts';
import { keepDraft, keptDraft } from '../../kept-draft.ts';
import { finished } from './flaws.ts';
import { type History, changed, historyOf, redone, undone } from './history.ts';
import type { Block, Site } from './site.ts';

type Sent = Parameters<typeof owner.page.save>[0];
type Version = Answer<typeof owner.page.getVersion>;
type Part = keyof Site;

/** What a save does where the site was changed elsewhere, too. */
export interface Clash {
  version: number;
  theirs: Site;
  /** What both changed. */
  parts: Part[];
}

/** Changes of the same thing within this time are one step back. */
const STEP_MS = 1_000;

interface Stored {
  version: number;
  site: Site;
}

/** What is stored, and as which version. */
const stored = signal<Stored>();
const history = signal<History<Site>>();
/** What is on the screen; kept while one looks at other pages, and when the tab is loaded anew. */
export const draft = computed(() => history.value?.present);
export const themes = signal<Answer<typeof api.site.getSiteConfiguration>['availableThemes']>([]);

let last = { what: '', at: 0 };

/** What a save says that it is about. */
export const storedVersion = computed(() => stored.value?.version);
export const canUndo = computed(() => Boolean(history.value?.past.length));
export const canRedo = computed(() => Boolean(history.value?.future.length));
/** Whether anything is not as it is stored. */
export const isChanged = computed(() => Object.keys(ownChanges()).length > 0);
/** The draft without what is not finished. */
const savable = computed(() =>
  draft.value && stored.value ? finished(draft.value, stored.value.site) : undefined,
);
/** Whether there is something to save. */
export const canSave = computed(() => Object.keys(unsaved()).length > 0);

effect(() => {
  if (draft.value)
    keepDraft(isChanged.value ? { stored: stored.value, draft: draft.value } : undefined);
});

/** Reads the site, unless there is something unsaved of it. */
export async function loadDraft(): Promise<true> {
  const [version, { availableThemes }] = await Promise.all([
    owner.page.getVersion(),
    api.site.getSiteConfiguration(),
  ]);
  themes.value = availableThemes;
  const kept = keptDraft() as { stored: Stored; draft: Site } | undefined;
  if (!draft.peek() && kept)
    batch(() => {
      stored.value = kept.stored;
      history.value = historyOf(kept.draft);
    });
  else if (!isChanged.peek()) accept(version);
  return true;
}

function accept(version: Version): void {
  const site = siteOf(version);
  batch(() => {
    stored.value = { version: version.version, site };
    history.value = historyOf(site);
  });
}

/** The site of a version, as drafts have it. */
export function siteOf({ site: { themes: _preset, ...details }, blocks }: Version): Site {
  return { ...details, blocks };
}

/** Changes the draft; `what` is the same for what is one step back, like the letters of a word. */
export function change(what: string, changes: Partial<Site>): void {
  const current = history.peek();
  if (!current) return;
  const now = Date.now();
  const isSameStep = last.what === what && now - last.at < STEP_MS;
  last = { what, at: now };
  history.value = changed(current, { ...current.present, ...changes }, { isSameStep });
}

/** Changes one of the blocks. */
export function changeBlock(id: string, what: string, changes: Partial<Block>): void {
  const { blocks } = draft.peek()!;
  change(`${id} ${what}`, {
    blocks: blocks.map((block) =>
      block.id === id ? withoutNothing({ ...block, ...changes }) : block,
    ),
  });
}

/** A field that holds nothing is not sent. */
function withoutNothing(block: Block): Block {
  return Object.fromEntries(
    Object.entries(block).filter(([, value]) => value !== undefined),
  ) as Block;
}

export function undo(): void {
  if (history.peek()) history.value = undone(history.peek()!);
  last = { what: '', at: 0 };
}

export function redo(): void {
  if (history.peek()) history.value = redone(history.peek()!);
  last = { what: '', at: 0 };
}

/** Goes back to what is stored; an undo brings the rest back. */
export function discard(): void {
  if (stored.peek()) change('', stored.peek()!.site);
}

/** What a save sends: the parts that are not as they are stored, as far as they are finished. */
export function unsaved(): Partial<Site> {
  return savable.value && stored.value ? changesOf(savable.value, stored.value.site) : {};
}

/** The parts of the draft that are not as they are stored, finished or not. */
function ownChanges(): Partial<Site> {
  return draft.value && stored.value ? changesOf(draft.value, stored.value.site) : {};
}

function changesOf(site: Site, base: Site): Partial<Site> {
  return Object.fromEntries(
    differing(site, base).map((part) => [part, site[part]]),
  ) as Partial<Site>;
}

function differing(one: Site, other: Site): Part[] {
  const parts = Object.keys(one) as Part[];
  return parts.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}

/** The block that a refusal of a save names by its place. */
export function blockSavedAt(index: number): Block | undefined {
  return savable.peek()?.blocks[index];
}

/**
 * Saves what was changed. If the site was changed elsewhere meanwhile, what was changed there stays;
 * what both changed is nobody's to overwrite: that is returned, and nothing is saved.
 */
export async function save(): Promise<Clash | undefined> {
  const base = stored.peek();
  const sent = unsaved();
  const mine = ownChanges();
  if (!base || Object.keys(sent).length === 0) return undefined;
  try {
    const { version } = await owner.page.save({ version: base.version, ...sent } as Sent);
    // What was typed while it was saved stays unsaved.
    stored.value = { version, site: { ...base.site, ...sent } };
    return undefined;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
  const newest = await owner.page.getVersion();
  const theirs = siteOf(newest);
  const there = new Set(differing(theirs, base.site));
  const parts = (Object.keys(mine) as Part[]).filter(
    (part) => there.has(part) && JSON.stringify(mine[part]) !== JSON.stringify(theirs[part]),
  );
  const clash = { version: newest.version, theirs, parts };
  return parts.length > 0 ? clash : resolve(clash, 'mine');
}

/** Saves after a clash: with what is on the screen where both changed something, or with what is stored. */
export function resolve(
  { version, theirs, parts }: Clash,
  whose: 'mine' | 'theirs',
): Promise<Clash | undefined> {
  const mine = ownChanges();
  if (whose === 'theirs') for (const part of parts) delete mine[part];
  batch(() => {
    stored.value = { version, site: theirs };
    history.value = { ...history.peek()!, present: { ...theirs, ...mine } };
  });
  return save();
}

/** Makes the site what it was in a version. */
export async function restore(version: number): Promise<void> {
  await owner.page.restoreVersion({ version });
  accept(await owner.page.getVersion());
}

/** A random UUID for a new block; `crypto.randomUUID` is missing on pages without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
