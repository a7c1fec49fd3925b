import { LIMITS } from '#contract/limits.ts';

/** A stored block or a part of it: whatever its owner sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** The first of the fields that is a text with something in it. */
export function textOf(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && /\S/.test(value)) return value.trim();
  }
  return undefined;
}

/** A field that is true or false. */
export function flagOf(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  return typeof value === 'boolean' ? value : undefined;
}

/** A field that is a whole number in a range. */
export function integerOf(
  fields: Fields,
  name: string,
  [min, max]: readonly [number, number],
): number | undefined {
  const value = fields[name];
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
    ? Number(value)
    : undefined;
}

/** A time that a block names, as it was written. */
export interface ParsedTime {
  /** The moment; without an offset, what clocks show, as if it were in UTC. */
  time: Date;
  /** Whether it names a time of the day. */
  hasTimeOfDay: boolean;
  /** Whether it names its offset from UTC. */
  hasOffset: boolean;
}

/** A field that is a time in ISO 8601, of a year with four digits. */
export function parsedTimeOf(fields: Fields, name: string): ParsedTime | undefined {
  const text = textOf(fields, name);
  if (
    text === undefined ||
    !/^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/.test(text)
  )
    return undefined;
  const hasOffset = /[Zz]$|[+-]\d\d:?\d\d$/.test(text.slice(10));
  const hasTimeOfDay = text.length > 10;
  const time = new Date(!hasTimeOfDay || hasOffset ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : { time, hasTimeOfDay, hasOffset };
}

/** A field that is a time in ISO 8601; without an offset it is in UTC. */
export function timeOf(fields: Fields, name: string): Date | undefined {
  return parsedTimeOf(fields, name)?.time;
}

/** The objects in a field that is a list. */
export function itemsOf(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value)) return [];
  return value.slice(0, LIMITS.blockItems).filter(isFields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
