import { signal } from '@preact/signals';
import { api } from './api/api.ts';

/** The display name of the account; empty before one was chosen, undefined until it is known. */
export const displayName = signal<string>();

/** Reads the display name again: after it was changed, and on every screen, since another window may change it. */
export async function loadDisplayName(): Promise<string> {
  const { display_name: name } = await api.account.getDisplayName();
  displayName.value = name;
  return name;
}
