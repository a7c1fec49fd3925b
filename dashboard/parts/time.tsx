const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time is, in words; its title has the time itself. */
export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exact.format(new Date(time))}>
      {agoOf(time)}
    </time>
  );
}

/** The time of a day; its title has the date, too. */
export function Clock({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exact.format(new Date(time))}>
      {clock.format(new Date(time))}
    </time>
  );
}

/** The date of a time; its title has the time itself. */
export function Day({ time }: { time: string }) {
  return (
    <time dateTime={time} title={exact.format(new Date(time))}>
      {day.format(new Date(time))}
    </time>
  );
}

function agoOf(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? 'just now' : relative.format(Math.round(seconds / size), unit);
}
