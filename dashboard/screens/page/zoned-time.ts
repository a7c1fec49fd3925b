import { blockDefinition } from '#contract/blocks.ts';

/** A block, or an item of one, which has no time zone. */
type BlockOrItem = Readonly<Record<string, unknown>> & { type?: string };

/** A stored time as a `datetime-local` field has it. */
export function toFieldTime(block: BlockOrItem, stored: string): string {
  // Without an offset it is what the clocks of the block's time zone show.
  if (hasTimeZone(block) && /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d[^Zz+-]*)?$/.test(stored))
    return `${stored.slice(0, 10)}T${stored.slice(11, 16) || '00:00'}`;
  const time = new Date(stored);
  if (Number.isNaN(time.getTime())) return '';
  // Swedes write times nearly as ISO 8601 has them.
  return timeFormatFor(block).format(time).replace(' ', 'T');
}

/** Value that is stored for a `datetime-local` field: what clocks show in a block with a time zone, else the moment. */
export function fromFieldTime(block: BlockOrItem, text: string): string | undefined {
  if (text === '') return undefined;
  return hasTimeZone(block) ? text : new Date(text).toISOString();
}

function hasTimeZone({ type = '' }: BlockOrItem): boolean {
  const fields = Object.values(blockDefinition(type)?.fields ?? {});
  return fields.some((field) => field.type === 'zone');
}

/** The clock that a form shows times by: that of the block's time zone, else the browser's. */
function timeFormatFor(block: BlockOrItem): Intl.DateTimeFormat {
  const clock = (timeZone?: string) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  if (!hasTimeZone(block)) return clock();
  try {
    return clock(typeof block['time_zone'] === 'string' ? block['time_zone'] : 'UTC');
  } catch {
    // The page shows a time zone that is unknown as UTC, too.
    return clock('UTC');
  }
}
