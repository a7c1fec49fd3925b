import { owner } from './api/api.ts';
import { displayName, loadDisplayName } from './display-name.ts';
import { showMessage, withErrorMessage } from './components/messages.tsx';
import { t } from './translate.ts';

/**
 * Publishes or hides the page. Before publishing, saves unsaved changes and asks if samples are left. Returns whether the page
 * was published or hidden. `onUndo` is called after hiding was undone.
 */
export async function setPageVisibility(visible: boolean, onUndo?: () => void): Promise<boolean> {
  if (visible) {
    // Load the editor's code on demand, because Home rarely needs it.
    const save = await withErrorMessage(import('./screens/page/save.ts'));
    if (!(await save?.saveForPublishing())) return false;
  }
  const result = await withErrorMessage(owner.page.updatePageVisibility({ visible }));
  if (!result) return false;
  const undo = async () => {
    if (!(await withErrorMessage(owner.page.updatePageVisibility({ visible: true })))) return;
    showMessage(t('Your page is visible again.'));
    onUndo?.();
  };
  if (!visible)
    showMessage(t('Your page is hidden.'), { label: t('Undo'), run: () => void undo() });
  else if (displayName.peek() || (await withErrorMessage(loadDisplayName()))) {
    const dialog = await withErrorMessage(import('./screens/overview/published-dialog.tsx'));
    dialog?.showPublishedDialog();
  }
  return true;
}
