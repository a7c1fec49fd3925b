import { signal } from '@preact/signals';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { draftBlocks } from './block-actions.ts';
import { ImportDialog } from './import-dialog.tsx';
import './start-buttons.css';
import { TemplateDialog } from './template-dialog.tsx';

const openDialog = signal<'template' | 'import'>();

const LAYOUT_ICON = 'M2.5 2.5h11v4h-11zM2.5 9h6v4.5h-6zM11 9h2.5v4.5H11z';
const DOWNLOAD_ICON = 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11';

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

export function EmptyStart() {
  return (
    <div class="starts">
      <button type="button" onClick={() => (openDialog.value = 'template')}>
        <span class="tile good">
          <Icon path={LAYOUT_ICON} />
        </span>
        <span class="block-words">
          {t('Start from a template')}
          <small>{t('Eight example pages')}</small>
        </span>
      </button>
      <button type="button" onClick={() => (openDialog.value = 'import')}>
        <span class="tile good">
          <Icon path={DOWNLOAD_ICON} />
        </span>
        <span class="block-words">
          {t('Import from another page')}
          <small>{t('Linktree, bio.link, others')}</small>
        </span>
      </button>
    </div>
  );
}
