import { utcDay } from '#contract/shared/durations.ts';
import { DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
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

const LINES_KEY = `nameplate-lead-lines ${innerWidth}`;

/** The heading of Home. Without a text, it has as many lines as the last time. */
export function Lead({ children }: { children?: ComponentChildren }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const lineHeight = Number.parseFloat(getComputedStyle(element.current!).lineHeight);
    if (children)
      localStorage.setItem(LINES_KEY, `${Math.round(element.current!.offsetHeight / lineHeight)}`);
  });
  const lines = Number(localStorage.getItem(LINES_KEY) ?? (innerWidth < 760 ? 3 : 2));
  return (
    <span class="lead" ref={element}>
      {children ?? Array.from({ length: lines }, (_, index) => <i key={index} />)}
    </span>
  );
}
