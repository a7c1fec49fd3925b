import { signal } from '@preact/signals';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import { openBlockPicker, draftBlocks } from './block-actions.ts';
import { ImportDialog } from './import-dialog.tsx';
import './start-buttons.css';
import { TemplateDialog, TemplateGallery } from './template-dialog.tsx';

const openDialog = signal<'template' | 'import'>();

export function StartButtons() {
  return (
    <>
      {draftBlocks.value.length > 0 && (
        <>
          <button type="button" class="quiet" onClick={() => (openDialog.value = 'template')}>
            {t('Templates')}
          </button>
          <button type="button" class="quiet" onClick={() => (openDialog.value = 'import')}>
            {t('Import')}
          </button>
        </>
      )}
      {openDialog.value === 'template' && (
        <TemplateDialog onClose={() => (openDialog.value = undefined)} />
      )}
      {openDialog.value === 'import' && (
        <ImportDialog onClose={() => (openDialog.value = undefined)} />
      )}
    </>
  );
}

/** For a page without blocks: the templates, and other ways to begin. */
export function EmptyStart() {
  return (
    <section class="starts" aria-labelledby="starts">
      <h3 id="starts">{t('How would you like to begin?')}</h3>
      <div class="row">
        <button type="button" class="add-block" onClick={() => openBlockPicker(0)}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add block')}
        </button>
        <button type="button" onClick={() => (openDialog.value = 'import')}>
          <Icon path={ICON_PATHS.download} />
          {t('Import from another page')}
        </button>
      </div>
      <TemplateGallery />
    </section>
  );
}
