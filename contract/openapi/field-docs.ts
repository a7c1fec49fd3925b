import { inspect } from 'node:util';
import type { Schema } from './json-schema.ts';
import { describeLimits } from './limits.ts';

const MAX_EXAMPLE_LENGTH = 100;

export function printFieldDocs(schema: Schema): string {
  const variants = [
    schema,
    ...(schema.anyOf ?? []).flatMap((variant) => [variant, ...(variant.anyOf ?? [])]),
  ];
  // A nullable field may have its texts in the variant that is not null.
  const { description = '', examples } = variants.find((variant) => variant.description) ?? schema;
  const example = printValue(examples?.[0]);
  const [text, deprecation] = schema.deprecated
    ? description.split(' Deprecated: ')
    : [description];
  const docs = [
    text,
    ...variants.map((variant) => describeLimits(variant, description)),
    ...variants.map(({ format }) => format && `Format: ${format}.`),
    example && example.length <= MAX_EXAMPLE_LENGTH ? `Example: \`${example}\`` : '',
    schema.default === undefined ? '' : `Default: \`${printValue(schema.default)}\``,
  ];
  const lines = [docs.filter(Boolean).join(' '), deprecation && `@deprecated ${deprecation}`];
  return lines.filter(Boolean).join('\n');
}

export function printValue(value: unknown): string {
  return value === undefined ? '' : inspect(value, { breakLength: Infinity, depth: null });
}
