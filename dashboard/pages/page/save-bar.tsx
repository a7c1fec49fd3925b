import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FormProblem } from '../../parts/error-words.ts';
import { problemOf } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { ClashDialog } from './clash-dialog.tsx';
import { type Clash, canUndo, discard, isChanged, resolve, save, undo } from './draft.ts';

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
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      if (isChanged.peek()) void finish(save);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <div class="savebar" role="region" aria-label="Unsaved changes">
        <p role="status">
          {isSaving.value ? 'Saving…' : isChanged.value ? 'Not saved yet' : 'All is saved'}
        </p>
        {problem && (
          <p class="error" role="alert">
            {problem.sentence}
          </p>
        )}
        <div class="actions">
          <button type="button" disabled={!canUndo.value} onClick={undo}>
            Undo
          </button>
          <button type="button" disabled={!isChanged.value} onClick={discard}>
            Discard
          </button>
          <button
            type="button"
            class="primary"
            disabled={!isChanged.value}
            aria-busy={isSaving.value}
            aria-keyshortcuts="Control+S"
            onClick={() => void finish(save)}
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
            if (whose) void finish(() => resolve(met, whose));
            else clash.value = undefined;
          }}
        />
      )}
    </>
  );
}
