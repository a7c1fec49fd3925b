import { utcDay } from '#contract/shared/durations.ts';
import { DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import type { ComponentChildren } from 'preact';
import type { Block } from '#contract/block.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { findLinkTitles } from '../visitors/link-titles.ts';
import type { TodaysVisits } from './home-text.ts';

type VisitorsResponse = ResponseOf<typeof owner.visitors.queryVisitors>;

export function loadToday(): Promise<VisitorsResponse> {
  const day = utcDay(Date.now());
  return owner.visitors.queryVisitors({ since: day, until: day, limit: 3 });
}

export function summarizeToday(
  { views, clicks, referrers: [top], links }: VisitorsResponse,
  blocks: readonly Block[],
): TodaysVisits {
  const isSource =
    top && top.value !== DIRECT_REFERRER && top.value !== OTHER_VALUE && top.count > views / 2;
  const titles = findLinkTitles(blocks);
  const link = links.find(({ value }) => titles.has(value));
  return {
    views,
    clicks,
    source: isSource ? top.value : undefined,
    link: link && { title: titles.get(link.value)!, clicks: link.count },
  };
}

/** Lines of the usual text. */
const LOADING_LINES = innerWidth < 760 ? 3 : 2;

/** The heading of Home. */
export function Lead({ children }: { children?: ComponentChildren }) {
  return (
    <span class="lead">
      {children ?? Array.from({ length: LOADING_LINES }, (_, index) => <i key={index} />)}
    </span>
  );
}
