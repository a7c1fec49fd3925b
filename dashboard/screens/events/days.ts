import { DAY_MS } from '../../../contract/durations.ts';
import type { Event } from './event-line.tsx';

const words = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const wordsWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** Events of one day in the time zone of the browser. */
export interface Day {
  title: string;
  events: Event[];
}

/** Groups events, the newest first, by their days. */
export function daysOf(events: readonly Event[]): Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const title = titleOf(new Date(event.created_at));
    if (days.at(-1)?.title !== title) days.push({ title, events: [] });
    days.at(-1)!.events.push(event);
  }
  return days;
}

function titleOf(time: Date): string {
  const now = new Date();
  if (time.toDateString() === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getTime() - DAY_MS);
  if (time.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return (time.getFullYear() === now.getFullYear() ? words : wordsWithYear).format(time);
}
