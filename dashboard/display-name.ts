import { signal } from '@preact/signals';
import { api } from './api/api.ts';

/** Empty if no name is claimed, undefined until it is loaded. */
export const displayName = signal<string>();

export async function loadDisplayName(): Promise<string> {
  const { display_name: name } = await api.account.getDisplayName();
  displayName.value = name;
  return name;
}
