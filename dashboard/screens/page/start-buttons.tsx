import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { draftBlocks } from './block-actions.ts';
import { openBlockPicker } from './block-picker.tsx';
import { openImport } from './import-dialog.tsx';
import './start-buttons.css';
import { openTemplates, TemplateGallery } from './template-dialog.tsx';

export function StartButtons({ isAddMain }: { isAddMain: boolean }) {
  return (
    <>
      <button type="button" class="quiet" onClick={openTemplates}>
        {t('Templates')}
      </button>
      <button type="button" class="quiet" onClick={openImport}>
        {t('Import')}
      </button>
      <button
        type="button"
        class={isAddMain ? 'add-block primary' : 'add-block'}
        onClick={() => openBlockPicker(draftBlocks.value.length)}
      >
        <Icon path={ICON_PATHS.plus} />
        <span>{t('Add block')}</span>
      </button>
    </>
  );
}

export function EmptyStart() {
  return (
    <section class="starts" aria-labelledby="starts">
      <h3 id="starts">{t('How would you like to begin?')}</h3>
      <div class="row">
        <button type="button" class="primary" onClick={() => openBlockPicker(0)}>
          <Icon path={ICON_PATHS.plus} />
          {t('Add block')}
        </button>
        <button type="button" onClick={openImport}>
          <Icon path={ICON_PATHS.download} />
          {t('Import from another page')}
        </button>
      </div>
      <h3>{t('Or start from a template')}</h3>
      <TemplateGallery />
    </section>
  );
}
