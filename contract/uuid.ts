import { z } from 'zod';

/** A UUID of any version, in either case. */
export const UUID_PATTERN = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

export function uuid(message = 'must be a UUID.'): z.ZodString {
  return z.string(message).regex(UUID_PATTERN, message).meta({ format: 'uuid', maxLength: 36 });
}
