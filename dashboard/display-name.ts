import { signal } from '@preact/signals';
import { api, owner } from './api/api.ts';
import { t } from './translate.ts';

/** Empty if no name is claimed, undefined until it is loaded. */
export const displayName = signal<string>();

export async function loadDisplayName(): Promise<string> {
  const { display_name: name } = await api.account.getDisplayName();
  displayName.value = name;
  return name;
}

/** A reader of a group address: a member with the name on the page, if any, or an address. */
export function readerName({
  display_name: name,
  page_title,
  email,
}: Readonly<Record<'display_name' | 'page_title' | 'email', string | null>>): string {
  if (name === null) return page_title ?? email ?? t('Account without a name');
  return page_title === null ? `@${name}` : `${page_title} @${name}`;
}

/**
 * Saves the typed name as the page title if the server changes it, such as to lower case, and the
 * page has no title. Ignores errors, because the user can still enter a title in the editor.
 */
export async function saveAsTitle(nameInput: string): Promise<void> {
  if (/^[a-z\d-]*$/.test(nameInput)) return;
  try {
    const { version, site } = await owner.page.getPageVersion();
    if (!site.display_name) await owner.page.updatePage({ version, display_name: nameInput });
  } catch {}
}
