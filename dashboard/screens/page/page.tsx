import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { Input } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { type FormProblem, errorWords } from '../../parts/error-words.ts';
import { Problem } from '../../parts/form.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { Blocks, openBlock } from './blocks.tsx';
import { draft, loadDraft } from './current-draft.ts';
import { nameOfBlock } from './kinds.ts';
import { Preview, viewed } from './preview.tsx';
import { labelOf, Profile } from './profile.tsx';
import { SaveBar } from './save-bar.tsx';
import { Theme } from './theme.tsx';
import { Versions } from './versions.tsx';
import './page.css';

/** Edits the page, beside what it would be. */
export function PageEditor() {
  const loaded = useLoaded(loadDraft);
  const problem = useSignal<FormProblem>();
  const saved = useSignal(0);
  const showsPreview = useSignal(false);
  const sent = useComputed(() => draft.unsaved() as Input<'site.updateSiteConfiguration'>);
  useSignalEffect(() => {
    // A refusal is about what was saved, and a view is left for what is edited.
    if (!draft.site.value) return;
    problem.value = undefined;
    viewed.value = undefined;
  });
  const refuse = (next: FormProblem | undefined) => {
    const [, index, name] = /^blocks\.(\d+)(?:\.(.+))?$/.exec(next?.field ?? '') ?? [];
    const block = draft.blockSavedAt(Number(index ?? -1));
    problem.value = next && {
      ...next,
      ...(block && { field: `${block.id}.${name}` }),
      sentence: errorWords(next, block ? nameOfBlock(block) : labelOf(next.field)),
    };
    // The form of the block says what is wrong with it.
    if (block) openBlock.value = block.id;
  };
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
                {draft.site.value && (
                  <>
                    <Profile site={draft.site.value} />
                    <Blocks blocks={draft.site.value.blocks} />
                    <Theme site={draft.site.value} />
                  </>
                )}
                <Versions saved={saved.value} onView={() => (showsPreview.value = true)} />
                <ApiCall
                  endpoint="site.updateSiteConfiguration"
                  input={sent.value}
                  also={[
                    ['page.save', { version: draft.version.value!, ...sent.value }],
                    ['page.preview', sent.value],
                    ['page.importPage', { url: 'https://linktr.ee/jane' }],
                    ['page.readSource', { source: 'https://example.com/shop' }],
                    ['page.getVersion'],
                    ['site.getSiteConfiguration'],
                  ]}
                />
              </div>
              <Preview />
            </div>
            <SaveBar
              problem={problem.value}
              onProblem={refuse}
              onSaved={() => (saved.value += 1)}
            />
          </Problem.Provider>
        )}
      </Show>
    </>
  );
}
