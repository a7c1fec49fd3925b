import { effect, signal } from '@preact/signals';
import { currentAccountId, draftKey } from './session.ts';
import { readStored, store } from './storage.ts';

let isReloading = false;

/** Reloads without the browser's question, because drafts outlive it. */
export function reloadWithDrafts(): void {
  isReloading = true;
  location.reload();
}

/** Unsaved changes of the current account on one screen. Session storage lasts until the tab closes. */
function createDraftStorage(
  screen: string,
  area: 'localStorage' | 'sessionStorage' = 'sessionStorage',
) {
  const hasUnsavedChanges = signal(false);
  effect(() => {
    hasUnsavedChanges.value = readStored(draftKey(screen, currentAccountId.value), area) !== null;
  });
  addEventListener('beforeunload', (event) => {
    if (area === 'sessionStorage' && hasUnsavedChanges.peek() && !isReloading)
      event.preventDefault();
  });
  return {
    hasUnsavedChanges,
    read: (): unknown => {
      const json = readStored(draftKey(screen), area);
      return json === null ? undefined : JSON.parse(json);
    },
    /** `undefined` removes the changes. */
    write: (draft: unknown): void => {
      hasUnsavedChanges.value = draft !== undefined;
      store(draftKey(screen), draft === undefined ? null : JSON.stringify(draft), area);
    },
  };
}

export const pageDraft = createDraftStorage('page');
export const appearanceDraft = createDraftStorage('appearance');
export const messageDraft = createDraftStorage('message', 'localStorage');
export const legalDraft = createDraftStorage('legal texts');
export const connectionDraft = createDraftStorage('connections');
