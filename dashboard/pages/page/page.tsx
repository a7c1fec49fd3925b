import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiCall } from '../../parts/api-call.tsx';
import type { FormProblem } from '../../parts/error-words.ts';
import { Problem } from '../../parts/form.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { Blocks, openBlock } from './blocks.tsx';
import { draft, loadDraft, storedVersion, unsaved } from './draft.ts';
import { Preview } from './preview.tsx';
import { Profile } from './profile.tsx';
import { SaveBar } from './save-bar.tsx';
import { Theme } from './theme.tsx';
import { Versions } from './versions.tsx';

/** Edits the page, beside what it would be. */
export function PageEditor() {
  const loaded = useLoaded(loadDraft);
  const problem = useSignal<FormProblem>();
  const saved = useSignal(0);
  const showsPreview = useSignal(false);
  const sent = useComputed(unsaved);
  useEffect(() => {
    // What is wrong with a block is said in its form.
    const [, index] = /^blocks\.(\d+)/.exec(problem.value?.field ?? '') ?? [];
    if (index) openBlock.value = draft.peek()?.blocks[Number(index)]?.id ?? '';
  }, [problem.value]);
  return (
    <>
      <PageTitle title="Page">
        {loaded.value && (
          <button
            type="button"
            class="preview-toggle"
            aria-pressed={showsPreview.value}
            onClick={() => (showsPreview.value = !showsPreview.value)}
          >
            Preview
          </button>
        )}
      </PageTitle>
      <Show loaded={loaded}>
        {() => (
          <Problem.Provider value={problem}>
            <div class={showsPreview.value ? 'editor previewing' : 'editor'}>
              <div class="edit">
                {draft.value && (
                  <>
                    <Profile site={draft.value} />
                    <Blocks blocks={draft.value.blocks} />
                    <Theme site={draft.value} />
                  </>
                )}
                <Versions saved={saved.value} />
                <ApiCall
                  endpoint="site.updateSiteConfiguration"
                  input={sent.value}
                  also={[
                    ['page.save', { version: storedVersion.value, ...sent.value }],
                    ['page.preview', sent.value],
                    ['page.getVersion'],
                    ['site.getSiteConfiguration'],
                  ]}
                />
              </div>
              <Preview />
            </div>
            <SaveBar
              problem={problem.value}
              onProblem={(next) => (problem.value = next)}
              onSaved={() => (saved.value += 1)}
            />
          </Problem.Provider>
        )}
      </Show>
    </>
  );
}
