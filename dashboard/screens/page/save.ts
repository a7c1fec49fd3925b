import { effect, signal } from '@preact/signals';
import { confirm } from '#dashboard/components/confirm.tsx';
import { type FormProblem, fieldErrorMessage } from '#dashboard/components/form-problem.ts';
import { toFormProblem } from '#dashboard/components/form.tsx';
import { showError, withErrorMessage } from '#dashboard/components/messages.tsx';
import { navigate, currentPath } from '#dashboard/router.ts';
import { formatList, t } from '#dashboard/translate.ts';
import { PROFILE_ID, selectedId } from './block-actions.ts';
import { draft } from './current-draft.ts';
import type { Conflict } from './draft.ts';
import { blockLabel } from './kinds.ts';
import { waitForUploads } from './picture-file.ts';
import { profileFieldLabel } from './site-fields.ts';
import type { Site } from './site.ts';
import { blockError, missingLabels, pictureError } from './validation.ts';

export const isSaving = signal(false);
export const conflict = signal<Conflict>();
export const saveProblem = signal<FormProblem>();

effect(() => {
  if (draft.site.value) saveProblem.value = undefined;
});

let lastSave: Promise<unknown> = Promise.resolve();

/**
 * Saves the draft once any earlier save has finished. To resolve a conflict, pass an `action` to
 * run instead of the plain save. Returns whether the draft was saved.
 */
export function save(action = () => draft.save()): Promise<boolean> {
  const currentSave = lastSave.then(() => runSave(action));
  lastSave = currentSave;
  return currentSave;
}

async function runSave(action: () => Promise<Conflict | undefined>): Promise<boolean> {
  isSaving.value = true;
  conflict.value = undefined;
  try {
    await waitForUploads();
    conflict.value = await action();
    saveProblem.value = undefined;
    return !conflict.value;
  } catch (error) {
    showSaveProblem(toFormProblem(error));
    return false;
  } finally {
    isSaving.value = false;
  }
}

/** Shows the error with the label of the invalid field, and opens the form that has the field. */
function showSaveProblem(error: FormProblem): void {
  const [, index, name] = /^blocks\.(\d+)(?:\.(.+))?$/.exec(error.field ?? '') ?? [];
  const block = draft.blockAtRequestIndex(Number(index ?? -1));
  const problem = {
    ...error,
    ...(block && { field: `${block.id}.${name}` }),
    text: fieldErrorMessage(error, block ? blockLabel(block) : profileFieldLabel(error.field)),
  };
  saveProblem.value = problem;
  showError(problem.text, {
    label: t('Try again'),
    run: () => void save(),
    isCurrent: () => saveProblem.value === problem,
  });
  if (block) selectedId.value = block.id;
  else if (error.field && profileFieldLabel(error.field) !== error.field)
    selectedId.value = PROFILE_ID;
}

/**
 * The blocks with unfinished changes, and an unfinished picture. A save leaves these changes out.
 * `exceptItem` is the id of a block to leave out, or `avatar_url` to leave out the picture.
 */
export function unfinishedItems(exceptItem = ''): { id: string; label: string }[] {
  const site = draft.site.value;
  if (!site) return [];
  const blocks = site.blocks
    .filter((block) => block.id !== exceptItem && blockError(block))
    .map((block) => ({ id: block.id, label: blockLabel(block) }));
  return exceptItem !== 'avatar_url' && pictureError(site)
    ? [{ id: PROFILE_ID, label: t('Picture') }, ...blocks]
    : blocks;
}

/** Labels of what the page leaves out, or shows only in part. */
export function unfinishedLabels(site: Site): string[] {
  const incomplete = site.blocks.filter(
    (block) => block.enabled && !blockError(block) && missingLabels(block).length > 0,
  );
  return [...unfinishedItems().map(({ label }) => label), ...incomplete.map(blockLabel)];
}

export function describeUnfinished(labels: readonly string[]): string {
  const names = listNames(labels);
  return names && t('What is not finished is not shown yet: {names}.', { names });
}

/** Saves the draft, but asks first if a sample or something unfinished is left. */
export async function saveForPublishing(): Promise<boolean> {
  // The draft is not loaded yet if the editor was not opened.
  if (!draft.site.peek() && !(await withErrorMessage(draft.load().then(() => true)))) return false;
  if (!(await confirmPublishing(draft.site.peek()!))) return false;
  if (await save()) return true;
  openEditor();
  return false;
}

async function confirmPublishing(site: Site): Promise<boolean> {
  const module = await withErrorMessage(import('./samples.ts'));
  if (!module) return false;
  const unfinished = unfinishedLabels(site);
  const samples = module.sampleLabels(site).filter((label) => !unfinished.includes(label));
  if (unfinished.length + samples.length === 0) return true;
  const sentences = [
    describeUnfinished(unfinished),
    samples.length > 0 && t('These are still samples: {names}.', { names: listNames(samples) }),
  ];
  return confirm({
    title: t('Publish anyway?'),
    text: sentences.filter(Boolean).join(' '),
    action: t('Publish anyway'),
    isDangerous: false,
    alternative: { label: t('Edit page'), run: openEditor },
  });
}

function openEditor(): void {
  if (currentPath.peek() !== 'page') navigate('page');
}

const MAX_NAMES = 5;

function listNames(names: readonly string[]): string {
  const others = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES);
  if (others > 0) shown.push(t('{count} more', { count: others }));
  return formatList(shown);
}
