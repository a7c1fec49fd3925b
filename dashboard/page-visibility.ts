import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { owner } from './api/api.ts';
import { showMessage, withErrorMessage } from './components/messages.tsx';
import { displayName, loadDisplayName } from './display-name.ts';
import { hasSeparatePagesHost } from './session.ts';
import { t } from './translate.ts';

const OPTIONS: readonly { value: PageVisibility; title: string; description: string }[] = [
  {
    value: 'public',
    title: t('visibility|Public'),
    description: t('Anyone with the link can open it.'),
  },
  {
    value: 'members',
    title: t('visibility|Members'),
    description: t('Only people who are signed in here can open it.'),
  },
  {
    value: 'hidden',
    title: t('visibility|Hidden'),
    description: t('Only you can see it.'),
  },
];

/** Where pages have a host of their own, nobody is signed in there. */
export const VISIBILITIES = OPTIONS.filter(
  ({ value }) => value !== 'members' || !hasSeparatePagesHost,
);

/** `hidden` if an operator hides the page. */
export async function loadPageVisibility(): Promise<PageVisibility> {
  const { visible, members } = await owner.page.getPageVisibility();
  return visible ? 'public' : members ? 'members' : 'hidden';
}

async function update(visibility: PageVisibility): Promise<boolean> {
  const input = { visible: visibility === 'public', members: visibility === 'members' };
  return Boolean(await withErrorMessage(owner.page.updatePageVisibility(input)));
}

/**
 * Changes who sees the page, and returns whether that was done. Before more people see it, saves
 * unsaved changes and asks if samples are left. `onUndo` is called after hiding was undone.
 */
export async function setPageVisibility(
  visibility: PageVisibility,
  { before, onUndo }: { before?: PageVisibility | undefined; onUndo?: () => void } = {},
): Promise<boolean> {
  if (visibility !== 'hidden' && before !== 'public') {
    // Load the editor's code on demand, because Home rarely needs it.
    const save = await withErrorMessage(import('./screens/page/save.ts'));
    if (!(await save?.saveForPublishing())) return false;
  }
  if (!(await update(visibility))) return false;
  if (visibility === 'members') showMessage(t('Members see your page now.'));
  else if (visibility === 'hidden') {
    const undo = async () => {
      if (!before || !(await update(before))) return;
      showMessage(t('Your page is visible again.'));
      onUndo?.();
    };
    showMessage(t('Your page is hidden.'), { label: t('Undo'), run: () => void undo() });
  } else if (displayName.peek() || (await withErrorMessage(loadDisplayName()))) {
    const dialog = await withErrorMessage(import('./screens/overview/published-dialog.tsx'));
    dialog?.showPublishedDialog();
  }
  return true;
}
