import { z } from 'zod';
import { formatLimit } from './shared/limits.ts';
import { uuid } from './uuid.ts';

/** An object schema, named `id` in the OpenAPI documents and the SDK. In a list, it needs an `error`. */
export function objectSchema<T extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: T,
  error?: string,
) {
  return z.object(shape, error).meta({ id, description });
}

/** The response of an operation, which names it. */
export function resultSchema<T extends z.core.$ZodLooseShape>(description: string, shape: T) {
  return z.object(shape).meta({ description });
}

export function idField(description: string, example: string | null): z.ZodString {
  return uuid().meta({ description, examples: [example] });
}

export const keyId = z.string().meta({
  pattern: '^np_[A-Za-z0-9]+$',
  maxLength: 67,
  examples: ['np_KeE5H4OlWsWE2ciL'],
});

/** A UTC time in a response. `description` must not end with a period. */
export function timeField(description: string, example: string | null): z.ZodISODateTime {
  return z.iso.datetime().meta({
    description: `${description} (ISO 8601, UTC).`,
    maxLength: 30,
    examples: [example],
  });
}

const TIME_MESSAGE = 'must be a time such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00.';

/**
 * A time in a request, with `Z` or another UTC offset. The result is in UTC, because PostgreSQL refuses
 * offsets of 16 hours and more, with a year from 1970 to 9999, which JavaScript and PostgreSQL both
 * support.
 */
export function timeParam() {
  return z.iso
    .datetime({ offset: true, error: ({ input }) => TIME_MESSAGE + hintAtPlus(input), abort: true })
    .max(40, TIME_MESSAGE)
    .overwrite(toUtc)
    .refine((time) => /^(?:19[7-9]|[2-9]\d)/.test(time), TIME_MESSAGE)
    .meta({ maxLength: 40 });
}

/** In a query, a plus sign is a space. */
function hintAtPlus(input: unknown): string {
  return typeof input === 'string' && /\d \d\d:\d\d$/.test(input)
    ? ' In a URL, write + as %2B.'
    : '';
}

/** Keeps microseconds, which `Date` would drop. */
function toUtc(time: string): string {
  const fraction = /\.\d+/.exec(time)?.[0] ?? '';
  return new Date(time.replace(fraction, '')).toISOString().replace('.000', fraction);
}

export function textField(description: string, maxLength: number, example: string): z.ZodString {
  return z.string().meta({ description, maxLength, examples: [example] });
}

export function nullableTextField(description: string, maxLength: number, example: string | null) {
  return z
    .string()
    .nullable()
    .meta({ description, maxLength, examples: [example] });
}

export function booleanField(description: string, example: boolean): z.ZodBoolean {
  return z.boolean().meta({ description, examples: [example] });
}

export function countField(description: string, example: number | null): z.ZodInt {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}

const errorCodes = z.registry<{ code: string }>();

declare const errorCode: unique symbol;

/** A request field with an error code. Only the type has this property. */
export interface Coded<Code extends string> {
  readonly [errorCode]: Code;
}

/** Declares a request field, with the code of the 400 if it is not valid. `.meta()` and `.optional()` keep the code. */
export function field<const Code extends string, Schema extends z.ZodType>(
  code: Code,
  schema: Schema,
  description?: string,
  example?: unknown,
): Schema & Coded<Code> {
  // A named schema is not copied, because names are unique.
  const isNamed = schema.meta()?.id !== undefined;
  const coded = isNamed
    ? schema
    : schema.meta(description ? { description, examples: [example] } : {});
  errorCodes.add(coded, { code });
  return coded as Schema & Coded<Code>;
}

export function errorCodeOf(schema: z.core.$ZodType | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const code = errorCodes.get(schema)?.code;
  return code ?? (schema instanceof z.ZodOptional ? errorCodeOf(schema.unwrap()) : undefined);
}

/** For rules about several fields. They run even if others are wrong, so that one response names all. */
export function ifValid(...fields: string[]) {
  return ({ issues }: z.core.ParsePayload): boolean =>
    issues.every(({ path = [] }) => path.length > 0 && !fields.includes(String(path[0])));
}

/** A whole number in a request. */
export function intParam(min: number, max: number): z.ZodInt {
  const message = `must be a whole number from ${min} to ${formatLimit(max)}.`;
  return z.int(message).min(min, message).max(max, message);
}

/** A boolean in a request. */
export function booleanParam(): z.ZodBoolean {
  return z.boolean('must be true or false.');
}

/** One of several values in a request. */
export function enumParam<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}.`);
}

/** A list in a request. `items` names what it contains. */
export function listParam<Item extends z.ZodType>(
  item: Item,
  min: number,
  max: number,
  items: string,
): z.ZodArray<Item> {
  const count = min === 0 ? `at most ${max}` : min === max ? max : `${min} to ${max}`;
  const message = `must be a list of ${count} ${items}.`;
  return z.array(item, message).min(min, message).max(max, message);
}
