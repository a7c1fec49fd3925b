import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import { draftBlocks, scrollToBlocks, showUndo } from './block-actions.ts';
import { draft, themes } from './current-draft.ts';
import { placeDates } from './place-dates.ts';
import { withTemplate } from './prefill.ts';
import { toRequest } from './site.ts';
import type { Template } from './templates.ts';
import { Thumbnail } from './thumbnail.tsx';

const MAX_THUMBNAIL_BLOCKS = 6;

const loadTemplates = async () => {
  const { TEMPLATES } = await import('./templates.ts');
  return TEMPLATES.map((template) => placeDates(template, new Date()));
};

export function openTemplates(): void {
  void showDialog(t('Start from a template'), (close) => (
    <div class="scroller">
      <TemplateGallery onChosen={close} />
    </div>
  ));
}

/** Example pages with the owner's own name and picture. */
export function TemplateGallery({ onChosen }: { onChosen?: () => void }) {
  const templates = useAsync(loadTemplates);
  const choose = async (template: Template) => {
    const isConfirmed =
      draftBlocks.peek().length === 0 ||
      (await confirm({
        title: t('Replace your blocks with “{template}”?', { template: template.name }),
        text: t(
          'This replaces your blocks and theme. Your name, bio and picture stay. Visitors see no change until you save. You can undo this.',
        ),
        action: t('Replace'),
      }));
    if (!isConfirmed) return;
    draft.change(
      `template ${template.id}`,
      withTemplate(draft.site.peek()!, template, themes.peek()),
    );
    onChosen?.();
    scrollToBlocks(0);
    showUndo(t('“{template}” is in place. Now make it yours.', { template: template.name }));
  };
  return (
    <>
      <p class="muted">{t('The texts, links and dates are examples. Change all of them.')}</p>
      <AsyncContent state={templates}>
        {(all) => (
          <ul class="templates">
            {all.filter(isUseful).map((template) => (
              <li key={template.id}>
                <button type="button" onClick={() => void choose(template)}>
                  <Thumbnail siteJson={thumbnailRequest(template)} design={template.theme} />
                  <span class="strong">{template.name}</span>
                  <small>{template.description}</small>
                </button>
              </li>
            ))}
          </ul>
        )}
      </AsyncContent>
    </>
  );
}

/** An empty page cannot be emptied. */
function isUseful({ blocks }: Template): boolean {
  return blocks.length > 0 || draftBlocks.value.length > 0;
}

/** Leaves out the picture, because the server fills in the stored one. */
function thumbnailRequest(template: Template): string {
  const site = withTemplate(draft.site.peek()!, template, themes.peek());
  const { avatar_url: _stored, ...request } = toRequest({
    ...site,
    blocks: site.blocks.slice(0, MAX_THUMBNAIL_BLOCKS),
  });
  return JSON.stringify(request);
}
