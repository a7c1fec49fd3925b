import { batch, computed, signal } from '@preact/signals';
import { type Answer, api, owner } from '../../api/api.ts';
import { RefusedError } from '../../api/refused.ts';

type Sent = Parameters<typeof owner.page.save>[0];
type Version = Answer<typeof owner.page.getVersion>;
type Details = Omit<Version['site'], 'themes'>;

/** A site as it is edited. */
export type Site = Details & { blocks: Version['blocks'] };
export type Block = Site['blocks'][number];
type Part = keyof Site;

/** What a save does where the site was changed elsewhere, too. */
export interface Clash {
  version: number;
  theirs: Site;
  /** What both changed. */
  parts: Part[];
}

const STEPS = 100;
/** Changes of the same thing within this time are one step back. */
const STEP_MS = 1_000;

/** What is stored, and as which version. */
const stored = signal<{ version: number; site: Site }>();
/** What is on the screen; kept while one looks at other pages. */
export const draft = signal<Site>();
const before = signal<readonly Site[]>([]);
export const themes = signal<Answer<typeof api.site.getSiteConfiguration>['availableThemes']>([]);

let last = { what: '', at: 0 };

/** What a save says that it is about. */
export const storedVersion = computed(() => stored.value?.version);
export const canUndo = computed(() => before.value.length > 0);
export const isChanged = computed(() => changedParts().length > 0);

// On whichever page of the dashboard one is by then.
addEventListener('beforeunload', (event) => {
  if (isChanged.peek()) event.preventDefault();
});

/** Reads the site, unless there is something unsaved of it. */
export async function loadDraft(): Promise<true> {
  const [version, { availableThemes }] = await Promise.all([
    owner.page.getVersion(),
    api.site.getSiteConfiguration(),
  ]);
  themes.value = availableThemes;
  if (!draft.peek() || !isChanged.peek()) accept(version);
  return true;
}

function accept(version: Version): void {
  const site = siteOf(version);
  batch(() => {
    stored.value = { version: version.version, site };
    draft.value = site;
    before.value = [];
  });
}

function siteOf({ site: { themes: _preset, ...details }, blocks }: Version): Site {
  return { ...details, blocks };
}

/** Changes the draft; `what` is the same for what is one step back, like the letters of a word. */
export function change(what: string, changes: Partial<Site>): void {
  const current = draft.peek();
  if (!current) return;
  const now = Date.now();
  const isSameStep = last.what === what && now - last.at < STEP_MS;
  last = { what, at: now };
  batch(() => {
    if (!isSameStep) before.value = [...before.peek().slice(1 - STEPS), current];
    draft.value = { ...current, ...changes };
  });
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
  const steps = before.peek();
  batch(() => {
    draft.value = steps.at(-1) ?? draft.peek();
    before.value = steps.slice(0, -1);
  });
  last = { what: '', at: 0 };
}

/** Goes back to what is stored; an undo brings the rest back. */
export function discard(): void {
  if (stored.peek()) change('', stored.peek()!.site);
}

/** What a save sends: the parts that are not as they are stored. */
export function unsaved(): Partial<Site> {
  const parts = changedParts().map((part) => [part, draft.value![part]]);
  return Object.fromEntries(parts) as Partial<Site>;
}

function changedParts(): Part[] {
  return draft.value && stored.value ? differing(draft.value, stored.value.site) : [];
}

function differing(one: Site, other: Site): Part[] {
  const parts = Object.keys(one) as Part[];
  return parts.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}

/**
 * Saves what was changed. If the site was changed elsewhere meanwhile, what was changed there stays;
 * what both changed is nobody's to overwrite: that is returned, and nothing is saved.
 */
export async function save(): Promise<Clash | undefined> {
  const base = stored.peek();
  const mine = unsaved();
  if (!base || Object.keys(mine).length === 0) return undefined;
  try {
    const { version } = await owner.page.save({ version: base.version, ...mine } as Sent);
    settle(version, { ...base.site, ...mine });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 409) throw error;
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
  const mine = unsaved();
  if (whose === 'theirs') for (const part of parts) delete mine[part];
  batch(() => {
    stored.value = { version, site: theirs };
    draft.value = { ...theirs, ...mine };
  });
  return save();
}

/** What was typed while it was saved stays unsaved. */
function settle(version: number, site: Site): void {
  stored.value = { version, site };
}

/** Makes the site what it was in a version. */
export async function restore(version: number): Promise<void> {
  await owner.page.restoreVersion({ version });
  accept(await owner.page.getVersion());
}

/** An id for a new block. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
