import { DAY_MS } from '#contract/shared/durations.ts';
import type { Template, TemplateBlock, TemplateDate } from './templates.ts';

/** Gives the blocks of a template dates in the weeks after `now`, in the browser's time zone. */
export function placeDates(template: Template, now: Date): Template {
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions();
  const place = ({ at, ...block }: TemplateBlock): TemplateBlock =>
    at
      ? {
          ...block,
          starts_at: dateOn(at, at.from, now),
          ...(at.until !== undefined && { ends_at: dateOn(at, at.until, now) }),
          time_zone,
        }
      : block;
  return { ...template, blocks: template.blocks.map(place) };
}

function dateOn({ weeks, weekday }: TemplateDate, hour: number, now: Date): string {
  const date = new Date(now.getTime() + weeks * 7 * DAY_MS);
  date.setDate(date.getDate() + ((weekday - date.getDay() + 7) % 7));
  date.setHours(hour, 0, 0, 0);
  return date.toISOString();
}
