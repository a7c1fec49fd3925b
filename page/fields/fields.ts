import { DAY_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';

/** A stored block or one of its items. Owners can send any fields, so readers check the types. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the first of these fields that is a number or a non-blank string, trimmed. */
export function textOf(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && /\S/.test(value)) return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

export function flagOf(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  return typeof value === 'boolean' ? value : undefined;
}

export function choiceOf(fields: Fields, name: string, options: object): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && Object.hasOwn(options, value) ? value : undefined;
}

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

export interface ParsedTime {
  /** Without an offset, the wall-clock time as if it were UTC. For a date, its midnight. */
  time: Date;
  /** When it is over: for a date, the midnight after it. */
  end: Date;
  hasTimeOfDay: boolean;
  hasOffset: boolean;
}

/** Parses an ISO 8601 date or time with a four-digit year. */
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
  // `Date` turns 30 February into 2 March.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  if (!isDay || Number.isNaN(time.getTime())) return undefined;
  const end = hasTimeOfDay ? time : new Date(time.getTime() + DAY_MS);
  return { time, end, hasTimeOfDay, hasOffset };
}

/** Returns the objects among the first entries of a list. */
export function itemsOf(fields: Fields, name: string, max: number = LIMITS.blockItems): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value)) return [];
  return value.slice(0, max).filter(isFields);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
