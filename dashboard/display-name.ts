import { signal } from '@preact/signals';
import { api, owner } from './api/api.ts';

/** Empty if no name is claimed, undefined until it is loaded. */
export const displayName = signal<string>();

export async function loadDisplayName(): Promise<string> {
  const { display_name: name } = await api.account.getDisplayName();
  displayName.value = name;
  return name;
}

/**
 * If the server changes the typed name, such as to lower case, makes it the page title, unless
 * there is one. Ignores errors, because the user can still enter a title in the editor.
 */
export async function saveAsTitle(nameInput: string): Promise<void> {
  if (/^[a-z\d-]*$/.test(nameInput)) return;
  try {
    const { version, site } = await owner.page.getVersion();
    if (!site.display_name) await owner.page.save({ version, display_name: nameInput });
  } catch {}
}
