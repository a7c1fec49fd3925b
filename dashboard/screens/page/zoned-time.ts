import { blockDefinition } from '#contract/shared/blocks.ts';

/** A block, or a list item, which has no `type`. */
type BlockOrItem = Readonly<Record<string, unknown>> & { type?: string };

/**
 * Converts a stored time to the value of a `datetime-local` input. Empty if the time is invalid.
 */
export function toFieldTime(block: BlockOrItem, storedTime: string): string {
  // A time without an offset is already in the block's time zone.
  if (hasTimeZone(block) && /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d[^Zz+-]*)?$/.test(storedTime))
    return `${storedTime.slice(0, 10)}T${storedTime.slice(11, 16) || '00:00'}`;
  const time = new Date(storedTime);
  if (Number.isNaN(time.getTime())) return '';
  // The Swedish format is ISO 8601 with a space instead of the T.
  return timeFormatFor(block).format(time).replace(' ', 'T');
}

/**
 * Converts the value of a `datetime-local` input to a stored time: local time for blocks with a
 * time zone field, otherwise UTC. Undefined if the input is empty.
 */
export function fromFieldTime(block: BlockOrItem, text: string): string | undefined {
  if (text === '') return undefined;
  return hasTimeZone(block) ? text : new Date(text).toISOString();
}

function hasTimeZone({ type = '' }: BlockOrItem): boolean {
  const fields = Object.values(blockDefinition(type)?.fields ?? {});
  return fields.some((field) => field.type === 'zone');
}

/** Formats in the time zone of the block or, if its kind has none, of the browser. */
function timeFormatFor(block: BlockOrItem): Intl.DateTimeFormat {
  const formatIn = (timeZone?: string) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  if (!hasTimeZone(block)) return formatIn();
  try {
    return formatIn(typeof block['time_zone'] === 'string' ? block['time_zone'] : 'UTC');
  } catch {
    // The page also uses UTC for an unknown time zone.
    return formatIn('UTC');
  }
}
