const words = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const wordsWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** Events of one day in the time zone of the browser. */
export interface Day<Event> {
  title: string;
  events: Event[];
}

/** Groups events, the newest first, by their days as seen at the time `now`. */
export function daysOf<Event extends { created_at: string }>(
  events: readonly Event[],
  now = new Date(),
): Day<Event>[] {
  const days: Day<Event>[] = [];
  for (const event of events) {
    const title = titleOf(new Date(event.created_at), now);
    if (days.at(-1)?.title !== title) days.push({ title, events: [] });
    days.at(-1)!.events.push(event);
  }
  return days;
}

function titleOf(time: Date, now: Date): string {
  if (time.toDateString() === now.toDateString()) return 'Today';
  // Where clocks change, a day has not always 24 hours.
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (time.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return (time.getFullYear() === now.getFullYear() ? words : wordsWithYear).format(time);
}
