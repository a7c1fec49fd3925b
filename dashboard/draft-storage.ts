import { effect, signal } from '@preact/signals';
import { currentAccountId } from './session.ts';

export const hasUnsavedChanges = signal(false);

const storageKey = (accountId: string | undefined) => `page of ${accountId}`;

effect(() => {
  hasUnsavedChanges.value = sessionStorage.getItem(storageKey(currentAccountId.value)) !== null;
});

// Warns before the tab closes, because unsaved changes exist only in this tab.
addEventListener('beforeunload', (event) => {
  if (hasUnsavedChanges.peek()) event.preventDefault();
});

/**
 * Stores the unsaved changes of the current account until the tab closes. `undefined` removes them.
 */
export function storeDraft(draft: unknown): void {
  const key = storageKey(currentAccountId.peek());
  hasUnsavedChanges.value = draft !== undefined;
  try {
    if (draft === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The storage is full. The changes are lost when the tab reloads.
  }
}

export function storedDraft(): unknown {
  const json = sessionStorage.getItem(storageKey(currentAccountId.peek()));
  return json === null ? undefined : JSON.parse(json);
}
