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

/** Counts neighbors that look the same. The first of them, the newest, represents them. */
export function mergeRepeats<
  Event extends {
    action: string;
    outcome: string;
    key_label: string | null;
    detail: Record<string, unknown>;
  },
>(events: readonly Event[]): { event: Event; count: number }[] {
  const merged: { event: Event; count: number }[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (
      last?.event.action === event.action &&
      last.event.outcome === event.outcome &&
      last.event.key_label === event.key_label &&
      last.event.detail['agent'] === event.detail['agent']
    )
      last.count += 1;
    else merged.push({ event, count: 1 });
  }
  return merged;
}

function dayTitle(time: Date, now: Date): string {
  if (time.toDateString() === now.toDateString()) return t('Today');
  // A day can have 23 or 25 hours, so use `setDate`.
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (time.toDateString() === yesterday.toDateString()) return t('Yesterday');
  return (time.getFullYear() === now.getFullYear() ? dayFormat : dayFormatWithYear).format(time);
}
