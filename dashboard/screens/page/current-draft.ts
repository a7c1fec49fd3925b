import { signal } from '@preact/signals';
import { type Answer, api, owner } from '#dashboard/api/api.ts';
import { keepDraft, keptDraft } from '#dashboard/kept-draft.ts';
import { Draft } from './draft.ts';

/** Lives outside the editor, so that changes survive a visit to another screen. */
export const draft = new Draft(owner.page, { read: keptDraft, write: keepDraft });

export const themes = signal<Answer<typeof api.site.getSiteConfiguration>['availableThemes']>([]);

export async function loadDraft(): Promise<true> {
  const [{ availableThemes }] = await Promise.all([api.site.getSiteConfiguration(), draft.load()]);
  themes.value = availableThemes;
  return true;
}
