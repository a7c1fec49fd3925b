import { effect, signal } from '@preact/signals';
import { confirm } from '#dashboard/parts/confirm.tsx';
import { type FormProblem, errorWords } from '#dashboard/parts/error-words.ts';
import { problemOf } from '#dashboard/parts/form.tsx';
import { showing } from '#dashboard/parts/messages.tsx';
import { go, place } from '#dashboard/router.ts';
import { PROFILE_ID, selectedId } from './block-actions.ts';
import { draft } from './current-draft.ts';
import type { Conflict } from './draft.ts';
import { blockError, pictureError } from './validation.ts';
import { nameOfBlock } from './kinds.ts';
import { profileFieldLabel } from './site-fields.ts';

export const isSaving = signal(false);
/** Conflict of the last save. */
export const conflict = signal<Conflict>();
/** Why the last save was refused, until the draft is changed. */
export const saveProblem = signal<FormProblem>();

effect(() => {
  if (draft.site.value) saveProblem.value = undefined;
});

let lastSave: Promise<unknown> = Promise.resolve();

/**
 * Saves the draft, after any save that is in flight. `work` is the choice made after a conflict.
 * Returns whether it was saved.
 */
export function save(work = () => draft.save()): Promise<boolean> {
  const saved = lastSave.then(() => run(work));
  lastSave = saved;
  return saved;
}

async function run(work: () => Promise<Conflict | undefined>): Promise<boolean> {
  isSaving.value = true;
  conflict.value = undefined;
  try {
    conflict.value = await work();
    saveProblem.value = undefined;
    return !conflict.value;
  } catch (error) {
    showProblem(problemOf(error));
    return false;
  } finally {
    isSaving.value = false;
  }
}

/** Names a refused field by its label, and opens the form that has it. */
function showProblem(refused: FormProblem): void {
  const [, index, name] = /^blocks\.(\d+)(?:\.(.+))?$/.exec(refused.field ?? '') ?? [];
  const block = draft.blockAtRequestIndex(Number(index ?? -1));
  saveProblem.value = {
    ...refused,
    ...(block && { field: `${block.id}.${name}` }),
    sentence: errorWords(refused, block ? nameOfBlock(block) : profileFieldLabel(refused.field)),
  };
  if (block) selectedId.value = block.id;
  else if (refused.field && profileFieldLabel(refused.field) !== refused.field)
    selectedId.value = PROFILE_ID;
}

/** Names of unfinished parts, which a save leaves out. Skips `except`, a block's id or `avatar_url`. */
export function unfinishedNames(except = ''): string[] {
  const site = draft.site.value;
  if (!site) return [];
  const blocks = site.blocks
    .filter((block) => block.id !== except && blockError(block))
    .map(nameOfBlock);
  return except !== 'avatar_url' && pictureError(site) ? ['Picture', ...blocks] : blocks;
}

/** Saves the draft before it is published; asks first if it has unfinished parts. Returns whether it is saved. */
export async function saveForPublishing(): Promise<boolean> {
  // On other screens the draft may not be loaded yet.
  if (!draft.site.peek() && !(await showing(draft.load().then(() => true)))) return false;
  const unfinished = unfinishedNames();
  if (unfinished.length > 0) {
    const names = new Intl.ListFormat('en').format(unfinished);
    const isAgreed = await confirm({
      title: 'Publish without unfinished parts?',
      text: `Not finished, so visitors will not see it yet: ${names}.`,
      action: 'Publish without',
      isDangerous: false,
    });
    if (!isAgreed) return false;
  }
  if (await save()) return true;
  if (place.peek() !== 'page') go('page');
  return false;
}
