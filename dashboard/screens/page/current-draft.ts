import { signal } from '@preact/signals';
import { type Answer, api, owner } from '#dashboard/api/api.ts';
import { keepDraft, keptDraft } from '#dashboard/kept-draft.ts';
import { Draft } from './draft.ts';

/** The page of the account; its changes are kept while one looks at other screens. */
export const draft = new Draft(owner.page, { read: keptDraft, write: keepDraft });

export const themes = signal<Answer<typeof api.site.getSiteConfiguration>['availableThemes']>([]);

/** Reads the page and the themes that there are. */
export async function loadDraft(): Promise<true> {
  const [{ availableThemes }] = await Promise.all([api.site.getSiteConfiguration(), draft.load()]);
  themes.value = availableThemes;
  return true;
}
