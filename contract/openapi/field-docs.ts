import { inspect } from 'node:util';
import { formatLimit } from '#contract/shared/limits.ts';
import type { Schema } from './json-schema.ts';

const MAX_EXAMPLE_LENGTH = 100;

export function printFieldDocs(schema: Schema): string {
  const variants = [
    schema,
    ...(schema.anyOf ?? []).flatMap((variant) => [variant, ...(variant.anyOf ?? [])]),
  ];
  const limits = capitalize(variants.flatMap(limitsOf).join(', '));
  // A nullable field may have its texts in the variant that is not null.
  const { description = '', examples } = variants.find((variant) => variant.description) ?? schema;
  const example = printValue(examples?.[0]);
  const [text, deprecation] = schema.deprecated
    ? description.split(' Deprecated: ')
    : [description];
  const docs = [
    text,
    limits && `${limits}.`,
    example && example.length <= MAX_EXAMPLE_LENGTH ? `Example: \`${example}\`` : '',
    schema.default === undefined ? '' : `Default: \`${printValue(schema.default)}\``,
  ];
  const lines = [docs.filter(Boolean).join(' '), deprecation && `@deprecated ${deprecation}`];
  return lines.filter(Boolean).join('\n');
}

export function printValue(value: unknown): string {
  return value === undefined ? '' : inspect(value, { breakLength: Infinity, depth: null });
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, maxItems, format, minimum, maximum } = schema;
  return [
    ...(minLength === undefined ? [] : [`at least ${printCount(minLength, 'character')}`]),
    ...(maxLength === undefined ? [] : [`at most ${printCount(maxLength, 'character')}`]),
    ...(maxItems === undefined ? [] : [`at most ${printCount(maxItems, 'item')}`]),
    ...(isContractBound(minimum) ? [`at least ${formatLimit(minimum)}`] : []),
    ...(isContractBound(maximum) ? [`at most ${formatLimit(maximum)}`] : []),
    ...(format === undefined ? [] : [`format ${format}`]),
  ];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function printCount(number: number, noun: string): string {
  return `${formatLimit(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Whether a bound comes from the contract. zod adds the safe integer range to every integer. */
function isContractBound(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
