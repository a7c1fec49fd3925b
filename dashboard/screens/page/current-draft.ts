import { signal } from '@preact/signals';
import { type ResponseOf, api, owner } from '#dashboard/api/api.ts';
import { pageDraft } from '#dashboard/draft-storage.ts';
import { Draft } from './draft.ts';

/** Lives outside the editor, so that changes survive a visit to another screen. */
export const draft = new Draft(owner.page, pageDraft);

export const themes = signal<ResponseOf<typeof api.site.getSiteConfiguration>['availableThemes']>(
  [],
);

export async function loadDraft(): Promise<true> {
  const [{ availableThemes }] = await Promise.all([api.site.getSiteConfiguration(), draft.load()]);
  themes.value = availableThemes;
  return true;
}
