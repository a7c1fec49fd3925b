import type { Event as AccountEvent } from '#client/generated/owner-operations.ts';
import { t } from '#dashboard/translate.ts';

const dayFormat = new Intl.DateTimeFormat(t.locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const dayFormatWithYear = new Intl.DateTimeFormat(t.locale, { dateStyle: 'long' });

/** Days are in the browser's time zone. */
export interface EventDay<Event> {
  title: string;
  events: Event[];
}

/** The events must be sorted by time. */
export function groupByDay<Event extends { created_at: string }>(
  events: readonly Event[],
  now = new Date(),
): EventDay<Event>[] {
  const days: EventDay<Event>[] = [];
  for (const event of events) {
    const title = dayTitle(new Date(event.created_at), now);
    if (days.at(-1)?.title !== title) days.push({ title, events: [] });
    days.at(-1)!.events.push(event);
  }
  return days;
}

/** What several events of a type are called together. The line below lists their subjects. */
export const COUNTED_TITLES: Readonly<Record<string, (count: number) => string>> = {
  member_joined: (count) =>
    t('{count, plural, one {# person joined} other {# people joined}}', { count }),
  member_left: (count) =>
    t('{count, plural, one {# person left} other {# people left}}', { count }),
  connection_created: (count) =>
    t('{count, plural, one {# connection added} other {# connections added}}', { count }),
};

/** Events in a row with the same key are one line. */
export const eventKey = ({
  type,
  action,
  outcome,
  key_label,
  detail,
}: Pick<AccountEvent, 'type' | 'action' | 'outcome' | 'key_label' | 'detail'>) => [
  COUNTED_TITLES[type] ? type : action,
  outcome,
  key_label,
  detail['agent'],
];

/** Joins neighbors whose keys are the same. */
export function groupRuns<Event>(
  events: readonly Event[],
  keyOf: (event: Event) => unknown,
): [Event, ...Event[]][] {
  const runs: [Event, ...Event[]][] = [];
  let lastKey: string | undefined;
  for (const event of events) {
    const key = JSON.stringify(keyOf(event));
    if (key === lastKey) runs.at(-1)!.push(event);
    else runs.push([event]);
    lastKey = key;
  }
  return runs;
}

function dayTitle(time: Date, now: Date): string {
  if (time.toDateString() === now.toDateString()) return t('Today');
  // A day can have 23 or 25 hours, so use `setDate`.
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (time.toDateString() === yesterday.toDateString()) return t('Yesterday');
  return (time.getFullYear() === now.getFullYear() ? dayFormat : dayFormatWithYear).format(time);
}
