import { effect, signal } from '@preact/signals';
import { account } from './session.ts';

/** Whether the page has changes that are not saved. */
export const isPageUnsaved = signal(false);

const keyOf = (accountId: string | undefined) => `page of ${accountId}`;

effect(() => {
  isPageUnsaved.value = sessionStorage.getItem(keyOf(account.value)) !== null;
});

// On whichever screen somebody is by then: only this tab has the changes.
addEventListener('beforeunload', (event) => {
  if (isPageUnsaved.peek()) event.preventDefault();
});

/** Keeps the unsaved changes of the account that is signed in for as long as the tab is open; `undefined` ends that. */
export function keepDraft(draft: unknown): void {
  const key = keyOf(account.peek());
  isPageUnsaved.value = draft !== undefined;
  try {
    if (draft === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The storage is full: the changes last until the page is loaded anew.
  }
}

/** Draft that was kept of the account that is signed in. */
export function keptDraft(): unknown {
  const text = sessionStorage.getItem(keyOf(account.peek()));
  return text === null ? undefined : JSON.parse(text);
}
