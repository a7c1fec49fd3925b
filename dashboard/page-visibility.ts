import { owner } from './api/api.ts';
import { pageDraft } from './draft-storage.ts';
import { showMessage, withErrorMessage } from './components/messages.tsx';
import { t } from './translate.ts';

/**
 * Publishes or hides the page. Saves unsaved changes before publishing. Returns whether the page
 * was published or hidden.
 */
export async function setPageVisibility(visible: boolean): Promise<boolean> {
  if (visible && pageDraft.hasUnsavedChanges.peek()) {
    // Load the editor's code on demand, because Home rarely needs it.
    const save = await withErrorMessage(import('./screens/page/save.ts'));
    if (!(await save?.saveForPublishing())) return false;
  }
  const result = await withErrorMessage(owner.page.setVisibility({ visible }));
  if (result) showMessage(visible ? t('Your page is live.') : t('Your page is hidden.'));
  return result !== undefined;
}
