import { z } from 'zod';
import { dateTimeFormat } from './shared/intl-formats.ts';

const MESSAGE = 'must be the name of a time zone, like Europe/Lisbon.';

export function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(dateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** The name of an IANA time zone. Offsets are not accepted, because they ignore daylight saving time. */
export const timeZoneName = z
  .string(MESSAGE)
  .max(64, MESSAGE)
  .regex(/^[A-Za-z](?:[A-Za-z0-9_]|[+]|\/|-)*$/, MESSAGE)
  .refine(isTimeZone, MESSAGE);
