import { effect, signal } from '@preact/signals';
import { currentAccountId } from './session.ts';

let isReloading = false;

/** Reloads without the browser's question, because drafts outlive it. */
export function reloadWithDrafts(): void {
  isReloading = true;
  location.reload();
}

/** Unsaved changes of the current account on one screen. Kept until the tab closes. */
function createDraftStorage(screen: string) {
  const hasUnsavedChanges = signal(false);
  const storageKey = (accountId: string | undefined) => `${screen} of ${accountId}`;
  effect(() => {
    hasUnsavedChanges.value = sessionStorage.getItem(storageKey(currentAccountId.value)) !== null;
  });
  // Warns before the tab closes, because unsaved changes exist only in this tab.
  addEventListener('beforeunload', (event) => {
    if (hasUnsavedChanges.peek() && !isReloading) event.preventDefault();
  });
  return {
    hasUnsavedChanges,
    read: (): unknown => {
      const json = sessionStorage.getItem(storageKey(currentAccountId.peek()));
      return json === null ? undefined : JSON.parse(json);
    },
    /** `undefined` removes the changes. */
    write: (draft: unknown): void => {
      const key = storageKey(currentAccountId.peek());
      hasUnsavedChanges.value = draft !== undefined;
      try {
        if (draft === undefined) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(draft));
      } catch {
        // The storage is full. The changes are lost when the tab reloads.
      }
    },
  };
}

export const pageDraft = createDraftStorage('page');
export const appearanceDraft = createDraftStorage('appearance');
export const messageDraft = createDraftStorage('message');
export const legalDraft = createDraftStorage('legal texts');
export const connectionDraft = createDraftStorage('connections');
