import { signal } from '@preact/signals';
import { DAY_MS, utcDay } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type ResponseOf, api, owner } from '#dashboard/api/api.ts';
import { pageDraft } from '#dashboard/draft-storage.ts';
import { isOn } from '#dashboard/facts.ts';
import type { Clicks } from './block-clicks.ts';
import { Draft } from './draft.ts';

/** Lives outside the editor, so that changes survive a visit to another screen. */
export const draft = new Draft(owner.page, pageDraft);

/** Changes when a service's cover comes or goes, which the draft does not contain. */
export const coverVersion = signal('');

export const themes = signal<ResponseOf<typeof api.site.getSiteConfiguration>['availableThemes']>(
  [],
);

export async function loadDraft(): Promise<true> {
  const [{ availableThemes }] = await Promise.all([api.site.getSiteConfiguration(), draft.load()]);
  themes.value = availableThemes;
  return true;
}

const CLICK_DAYS = 30;

/** Empty while visitors are not counted. */
export async function loadClicks(now = Date.now()): Promise<Clicks> {
  if (!isOn('visitors')) return new Map();
  const { counting } = await owner.visitors.getVisitorCounting();
  if (!counting) return new Map();
  const { links } = await owner.visitors.queryVisitors({
    since: utcDay(now - (CLICK_DAYS - 1) * DAY_MS),
    until: utcDay(now),
    limit: LIMITS.visitorList,
  });
  return new Map(links.map(({ value, count }) => [value, count]));
}
