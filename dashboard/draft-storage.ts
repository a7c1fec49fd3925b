import { effect, signal } from '@preact/signals';
import { currentAccountId, draftKey } from './session.ts';

let isReloading = false;

/** Reloads without the browser's question, because drafts outlive it. */
export function reloadWithDrafts(): void {
  isReloading = true;
  location.reload();
}

/** Unsaved changes of the current account on one screen. Session storage lasts until the tab closes. */
function createDraftStorage(screen: string, storage = sessionStorage) {
  const hasUnsavedChanges = signal(false);
  effect(() => {
    hasUnsavedChanges.value = storage.getItem(draftKey(screen, currentAccountId.value)) !== null;
  });
  addEventListener('beforeunload', (event) => {
    if (storage === sessionStorage && hasUnsavedChanges.peek() && !isReloading)
      event.preventDefault();
  });
  return {
    hasUnsavedChanges,
    read: (): unknown => {
      const json = storage.getItem(draftKey(screen));
      return json === null ? undefined : JSON.parse(json);
    },
    /** `undefined` removes the changes. */
    write: (draft: unknown): void => {
      const key = draftKey(screen);
      hasUnsavedChanges.value = draft !== undefined;
      try {
        if (draft === undefined) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(draft));
      } catch {
        // The storage is full. The changes are lost when the tab reloads.
      }
    },
  };
}

export const pageDraft = createDraftStorage('page');
export const appearanceDraft = createDraftStorage('appearance');
export const messageDraft = createDraftStorage('message', localStorage);
export const legalDraft = createDraftStorage('legal texts');
export const connectionDraft = createDraftStorage('connections');
