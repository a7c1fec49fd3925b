import { owner } from './api/api.ts';
import { hasUnsavedChanges } from './draft-storage.ts';
import { showMessage, withErrorMessage } from './components/messages.tsx';

/** Publishes or hides the page. Saves unsaved changes before publishing. Returns whether it succeeded. */
export async function setPageVisibility(visible: boolean): Promise<boolean> {
  if (visible && hasUnsavedChanges.peek()) {
    // Loaded on demand: Home rarely needs the code of the editor.
    const save = await withErrorMessage(import('./screens/page/save.ts'));
    if (!(await save?.saveForPublishing())) return false;
  }
  const result = await withErrorMessage(owner.page.setVisibility({ visible }));
  if (result) showMessage(visible ? 'Your page is live.' : 'Your page is hidden.');
  return result !== undefined;
}
