import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { FormProblemContext } from '#dashboard/components/form.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { Menu } from '#dashboard/components/menu.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { query } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { PROFILE_ID, draftBlocks, selectedId } from './block-actions.ts';
import { Blocks } from './blocks.tsx';
import { draft, loadDraft } from './current-draft.ts';
import { Preview, viewedVersion } from './preview.tsx';
import './editor.css';
import { BIN_ICON } from './row-menu.tsx';
import { SaveBar, SaveState } from './save-bar.tsx';
import { saveProblem } from './save.ts';
import { Settings } from './settings.tsx';
import { Theme } from './theme.tsx';
import { Versions, restorePageVersion } from './versions.tsx';
import { ViewPageButton, canPublish, publishPage, useSiteStatus } from './view-page-button.tsx';

export { HomeTemplates, addLinkAndEdit } from './home-templates.tsx';

const TABS = [
  ['blocks', t('Blocks')],
  ['design', t('Design')],
  ['settings', t('Settings')],
] as const;
type Tab = (typeof TABS)[number][0];

export function PageEditor() {
  const loaded = useAsync(loadDraft);
  const status = useSiteStatus();
  const tab = useSignal<Tab>('blocks');
  const isPreviewOpen = useSignal(false);
  const showsVersions = useSignal(false);
  useEditorEffects(tab);
  const showPreview = () => (isPreviewOpen.value = true);
  const showTab = (next: Tab) => {
    tab.value = next;
    // A block that is selected again opens its form.
    selectedId.value = '';
  };
  const closeVersions = () => {
    showsVersions.value = false;
  };
  const showVersionList = () => {
    showsVersions.value = true;
    isPreviewOpen.value = false;
  };
  // Save and “Publish page” come first.
  const isAddMain =
    draftBlocks.value.length === 0 ||
    (!draft.isChanged.value && Boolean(status.value) && !canPublish(status));
  const previewButton = (
    <button
      type="button"
      class="quiet to-preview"
      onClick={() => (isPreviewOpen.value = !isPreviewOpen.value)}
    >
      <Icon path={isPreviewOpen.value ? ICON_PATHS.edit : ICON_PATHS.eye} />
      <span class="visually-hidden">{isPreviewOpen.value ? t('Edit') : t('Preview')}</span>
    </button>
  );
  const tabs = (
    <SegmentedControl
      label={t('Edit')}
      look="tabs"
      value={tab.value}
      options={TABS}
      onValue={showTab}
    />
  );
  return (
    <>
      <ScreenHeader title={t('Page')} subtitle={<SaveState />}>
        {previewButton}
        <SaveBar
          visibility={status.value}
          onPublish={canPublish(status) ? () => publishPage(status) : undefined}
        >
          {previewButton}
        </SaveBar>
        <ViewPageButton status={status} />
        <Menu
          label={t('Page options')}
          items={() => menuItems(showVersionList, () => showTab('settings'))}
        />
      </ScreenHeader>
      {loaded.isLoading && !loaded.value && <div class="editor">{tabs}</div>}
      <AsyncContent state={loaded}>
        {() => (
          <FormProblemContext.Provider value={saveProblem}>
            <div class={`editor ${isPreviewOpen.value ? 'previewing' : `on-${tab.value}`}`}>
              <div class="stack edit">
                {tabs}
                {showsVersions.value && <Versions onView={showPreview} onClose={closeVersions} />}
                {draft.site.value && tab.value === 'blocks' && (
                  <Blocks site={draft.site.value} isAddMain={isAddMain} />
                )}
                {draft.site.value && tab.value === 'design' && <Theme site={draft.site.value} />}
                {draft.site.value && tab.value === 'settings' && (
                  <Settings site={draft.site.value} status={status} />
                )}
              </div>
              <Preview
                onOpen={showPreview}
                onBlockSelect={() => (isPreviewOpen.value = false)}
                onRestore={(version) => void restorePageVersion(version)}
              />
            </div>
          </FormProblemContext.Provider>
        )}
      </AsyncContent>
    </>
  );
}

function menuItems(showVersions: () => void, showSettings: () => void) {
  return [
    { label: t('Versions'), iconPath: ICON_PATHS.clock, run: showVersions },
    { label: t('Who can see it'), iconPath: ICON_PATHS.eye, run: showSettings },
    {
      label: t('Discard changes'),
      iconPath: BIN_ICON,
      isDisabled: !draft.isChanged.peek(),
      run: () => draft.discard(),
    },
  ];
}

/** Switches tabs with the selected block and the query. */
function useEditorEffects(tab: Signal<Tab>): void {
  useSignalEffect(() => {
    // Editing switches the preview from an old version back to the draft.
    if (draft.site.value) viewedVersion.value = undefined;
  });
  useSignalEffect(() => {
    if (query.value.has('profile')) selectedId.value = PROFILE_ID;
  });
  useSignalEffect(() => {
    if (selectedId.value) tab.value = 'blocks';
  });
}
