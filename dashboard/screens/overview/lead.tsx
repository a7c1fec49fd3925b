import { utcDay } from '#contract/shared/durations.ts';
import { DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import type { ComponentChildren } from 'preact';
import type { Block } from '#contract/block.ts';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { pageSuspensionReason } from '#dashboard/current-account.ts';
import { t } from '#dashboard/translate.ts';
import { findLinkTitles } from '../visitors/link-titles.ts';

const dateFormat = new Intl.DateTimeFormat(t.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

type VisitorsResponse = ResponseOf<typeof owner.visitors.queryVisitors>;

export interface TodaysVisits {
  views: number;
  clicks: number;
  /** The site that more than half of the views came from. */
  source: string | undefined;
  link: { title: string; clicks: number } | undefined;
}

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

/** The heading of Home, below the date. */
export function Lead({ children }: { children: ComponentChildren }) {
  return (
    <span class="lead">
      <small>{dateFormat.format(Date.now())}</small>
      {children}
    </span>
  );
}

/** What happened today, in one or two sentences. */
export function Today({ isVisible, today }: { isVisible: boolean; today: TodaysVisits }) {
  const [sentence, more] = isVisible
    ? describe(today)
    : pageSuspensionReason.value === null
      ? [t('Your page is hidden.'), t('Only you can see it.')]
      : [t('An operator has hidden your page.')];
  return (
    <Lead>
      {sentence} {more && <span class="muted">{more}</span>}
    </Lead>
  );
}

function describe({ views, source, link }: TodaysVisits): [sentence: string, more?: string] {
  if (views === 0) return [t('No views yet today.')];
  const sentence =
    source === undefined
      ? t('{views, plural, one {# view} other {# views}} today.', { views })
      : t('{views, plural, one {# view} other {# views}} today, most from {source}.', {
          views,
          source,
        });
  if (!link) return [sentence];
  return [
    sentence,
    t('“{title}” got {clicks, plural, one {# click} other {# clicks}}.', { ...link }),
  ];
}
