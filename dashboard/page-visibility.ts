import { owner } from './api/api.ts';
import { isPageUnsaved } from './kept-draft.ts';
import { say, showing } from './parts/messages.tsx';

/** Publishes the page, after saving unsaved changes, or hides it. Returns whether it succeeded. */
export async function setVisibility(visible: boolean): Promise<boolean> {
  if (visible && isPageUnsaved.peek()) {
    // The editor's code, loaded here because Home rarely needs it.
    const saving = await showing(import('./screens/page/save.ts'));
    if (!(await saving?.saveForPublishing())) return false;
  }
  const done = await showing(owner.page.setVisibility({ visible }));
  if (done) say(visible ? 'Your page is live.' : 'Your page is hidden.');
  return done !== undefined;
}
