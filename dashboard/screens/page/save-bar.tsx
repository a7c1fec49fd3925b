import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { FormProblem } from '../../parts/error-words.ts';
import { problemOf } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { draft } from './current-draft.ts';
import type { Clash } from './draft.ts';
import { blockFlaw, pictureFlaw } from './flaws.ts';
import { nameOfBlock } from './kinds.ts';

/** Fields in which the browser itself undoes what was typed. */
const TYPED = 'textarea, input:not([type=checkbox], [type=radio], [type=color])';

/** Says that something is not saved, and saves it; by Ctrl+S, too. */
export function SaveBar({
  problem,
  onProblem,
  onSaved,
}: {
  problem: FormProblem | undefined;
  onProblem: (problem: FormProblem | undefined) => void;
  onSaved: () => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const isSaving = useSignal(false);
  const clash = useSignal<Clash>();
  const finish = async (work: () => Promise<Clash | undefined>) => {
    if (isSaving.peek()) return;
    isSaving.value = true;
    clash.value = undefined;
    try {
      clash.value = await work();
      onProblem(undefined);
      if (clash.value) return;
      say('Saved.');
      onSaved();
    } catch (error) {
      onProblem(problemOf(error));
    } finally {
      isSaving.value = false;
    }
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const run = commandOf(event, () => void finish(() => draft.save()));
      if (!run) return;
      event.preventDefault();
      completeField();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty('--savebar', `${entry!.borderBoxSize[0]!.blockSize}px`),
    );
    observer.observe(bar.current!);
    return () => {
      observer.disconnect();
      style.removeProperty('--savebar');
    };
  }, []);
  return (
    <>
      <div ref={bar} class="savebar" role="region" aria-label="Unsaved changes">
        <p role="status">{isSaving.value ? 'Saving…' : stateWords()}</p>
        {problem && (
          <p class="error" role="alert">
            {problem.sentence}
          </p>
        )}
        <div class="actions">
          <button type="button" disabled={!draft.canUndo.value} onClick={() => draft.undo()}>
            Undo
          </button>
          <button type="button" disabled={!draft.canRedo.value} onClick={() => draft.redo()}>
            Redo
          </button>
          <button type="button" disabled={!draft.isChanged.value} onClick={() => draft.discard()}>
            Discard
          </button>
          <button
            type="button"
            class="primary"
            disabled={!draft.canSave.value}
            aria-busy={isSaving.value}
            aria-keyshortcuts="Control+S"
            onClick={() => void finish(() => draft.save())}
          >
            Save
          </button>
        </div>
      </div>
      {clash.value && (
        <ClashDialog
          clash={clash.value}
          onChoice={(whose) => {
            const met = clash.peek()!;
            if (whose) void finish(() => draft.resolve(met, whose));
            else clash.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** Leaves the field that has the focus and comes back: an address that is typed gets its scheme by that. */
function completeField(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

/** Finds what a press of keys asks for: to save, to undo, or to redo. */
function commandOf(event: KeyboardEvent, onSave: () => void): (() => unknown) | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 's') return () => draft.canSave.peek() && onSave();
  const target = event.target as Element;
  if (target.matches(TYPED) || target.closest('dialog')) return undefined;
  if (key === 'z') return () => (event.shiftKey ? draft.redo() : draft.undo());
  return key === 'y' ? () => draft.redo() : undefined;
}

function stateWords(): string {
  const unfinished = unfinishedParts();
  if (unfinished.length === 0)
    return draft.isChanged.value ? 'Unsaved changes' : 'All changes saved';
  const names = new Intl.ListFormat('en').format(unfinished);
  const state = draft.canSave.value ? 'Unsaved changes.' : 'All other changes saved.';
  return `${state} Not finished, so not saved yet: ${names}`;
}

function unfinishedParts(): string[] {
  if (!draft.site.value) return [];
  const blocks = draft.site.value.blocks.filter(blockFlaw).map(nameOfBlock);
  return pictureFlaw(draft.site.value) ? ['Picture', ...blocks] : blocks;
}
