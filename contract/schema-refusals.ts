import { z } from 'zod';
import { type Coded, errorCodeOf } from './fields.ts';
import type { Refusal } from './refusal.ts';

type CodeOf<Schema> =
  Schema extends Coded<infer Code>
    ? Code
    : Schema extends z.ZodOptional<infer Inner>
      ? CodeOf<Inner>
      : never;

/** The refusals of the fields of a body or a query, by error code. */
export type FieldRefusals<Shape> = {
  readonly [Code in CodeOf<Shape[keyof Shape]>]: Refusal<400>;
};

export function refusalsOf<Shape extends z.core.$ZodLooseShape>(schema: {
  readonly shape: Shape;
}): FieldRefusals<Shape> {
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(
    ([name, fieldSchema]) => {
      const code = errorCodeOf(fieldSchema);
      return code === undefined ? [] : [[code, refusalOf(name, fieldSchema)]];
    },
  );
  return Object.fromEntries(entries) as FieldRefusals<Shape>;
}

function refusalOf(name: string, schema: z.ZodType): Refusal<400> {
  const missing = schema.safeParse(undefined).error;
  const [issue] = (missing ?? schema.safeParse(Symbol(name)).error)?.issues ?? [];
  return {
    status: 400,
    when: `\`${name}\` is ${missing ? 'missing or ' : ''}not valid.`,
    message: fieldMessage(name, issue?.message ?? 'is not valid.', schema),
    example: {},
    field: name,
  };
}

/** Adds the name of the field on the wire to a sentence without it. */
export function withFieldName(message: string, field = ''): string {
  const isNamed = message.toLowerCase().includes(field.toLowerCase());
  return isNamed ? message : message.replace(/\.$/, ` (${field}).`);
}

/** A message in lower case is a rule: it continues the path of the field. Others are sentences. */
export function fieldMessage(path: string, message: string, schema?: z.ZodType): string {
  if (!/^[a-z]/.test(message)) return message;
  const allowsNull = message.startsWith('must be ') && schema?.safeParse(null).success;
  return `${path} ${allowsNull ? message.replace(/\.$/, ', or null.') : message}`;
}
