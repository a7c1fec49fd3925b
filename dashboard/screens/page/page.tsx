import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Input } from '#dashboard/api/routes.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Problem } from '#dashboard/parts/form.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Show } from '#dashboard/parts/states.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { go, query } from '#dashboard/router.ts';
import { PROFILE_ID, draftBlocks, selectedId } from './block-actions.ts';
import { Blocks } from './blocks.tsx';
import { draft, loadDraft } from './current-draft.ts';
import { ViewPageButton } from './view-page-button.tsx';
import './page.css';
import { Preview, viewedVersion } from './preview.tsx';
import { SaveBar } from './save-bar.tsx';
import { saveProblem } from './save.ts';
import { Settings } from './settings.tsx';
import { Theme } from './theme.tsx';
import { Versions, restoreVersion } from './versions.tsx';

/** Edits the page, beside what it would be. */
export function PageEditor() {
  const loaded = useLoaded(loadDraft);
  const showsPreview = useSignal(false);
  const showsVersions = useSignal(false);
  const sent = useComputed(() => draft.unsavedChanges() as Input<'site.updateSiteConfiguration'>);
  useSignalEffect(() => {
    // An edit closes the view of an old version.
    if (draft.site.value) viewedVersion.value = undefined;
  });
  const isLoaded = loaded.value === true;
  useLayoutEffect(() => {
    const site = draft.site.peek();
    if (!site) return;
    const wantsBio = query.peek().has('bio');
    // A page that says nothing yet begins with its owner.
    if (wantsBio || (!site.bio && draftBlocks.peek().length === 0)) selectedId.value = PROFILE_ID;
    if (!wantsBio) return;
    go('page', { replace: true });
    // After the form is rendered.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[name=bio]')?.focus());
  }, [isLoaded]);
  const view = () => (showsPreview.value = true);
  const versionsButton = (where: string) => (
    <button
      type="button"
      class={`quiet ${where}`}
      aria-expanded={showsVersions.value}
      onClick={() => (showsVersions.value = !showsVersions.value)}
    >
      <Icon lines={LINES.clock} />
      Versions
    </button>
  );
  return (
    <>
      <PageTitle title="Page">
        {versionsButton('editor-wide')}
        <ViewPageButton />
      </PageTitle>
      <Show loaded={loaded}>
        {() => (
          <Problem.Provider value={saveProblem}>
            <div class={showsPreview.value ? 'editor previewing' : 'editor'}>
              <div class="edit">
                {showsVersions.value && (
                  <Versions onView={view} onClose={() => (showsVersions.value = false)} />
                )}
                {draft.site.value && (
                  <>
                    <Blocks site={draft.site.value} />
                    <Theme site={draft.site.value} />
                    <Settings site={draft.site.value}>{versionsButton('editor-narrow')}</Settings>
                  </>
                )}
                <ApiCall
                  endpoint="site.updateSiteConfiguration"
                  input={sent.value}
                  also={[
                    ['page.save', { version: draft.version.value!, ...sent.value }],
                    ['page.preview', sent.value],
                    ['page.importPage', { url: 'https://linktr.ee/jane' }],
                    ['page.readSource', { source: 'https://example.com/shop' }],
                    ['page.getVersion'],
                    ['pictures.upload'],
                    ['pictures.listPictures'],
                    ['pictures.deletePicture', { pictureId: '…' }],
                    ['page.getVersions'],
                    ['page.restoreVersion', { version: draft.version.value! }],
                    ['site.getSiteConfiguration'],
                  ]}
                />
              </div>
              <Preview
                onPick={() => (showsPreview.value = false)}
                onRestore={(version) => void restoreVersion(version)}
              />
            </div>
            <SaveBar showsPreview={showsPreview} />
          </Problem.Provider>
        )}
      </Show>
    </>
  );
}
