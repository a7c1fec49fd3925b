import { inspect } from 'node:util';
import type { Schema } from '../../openapi/json-schema.ts';

const MAX_PATTERN_LENGTH = 60;

/** Prints a TSDoc comment, or nothing if there are no lines. */
export function printComment(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${escapeComment(lines[0]!)} */`;
  return ['/**', ...lines.map((line) => ` * ${escapeComment(line)}`.trimEnd()), ' */'].join('\n');
}

function escapeComment(line: string): string {
  return line.replaceAll('*/', '*\\/');
}

/** Documents a field for editors: description, limits, example and error message. */
export function fieldDocs(schema: Schema): string[] {
  const variants = [
    schema,
    ...(schema.anyOf ?? []).flatMap((variant) => [variant, ...(variant.anyOf ?? [])]),
  ];
  const limits = variants.flatMap(limitsOf);
  const example = schema.examples?.[0];
  return [
    schema.description ?? '',
    ...(limits.length > 0 ? ['', `Limits: ${limits.join('; ')}.`] : []),
    ...(example === undefined ? [] : ['', `Example: \`${inspect(example)}\``]),
    ...(schema.refusal === undefined
      ? []
      : ['', `Refused with 400: "${withEllipsis(schema.refusal)}"`]),
    ...(schema.default === undefined ? [] : ['', `@defaultValue ${inspect(schema.default)}`]),
  ].filter((line, index, all) => line !== '' || (index > 0 && all[index - 1] !== ''));
}

/** Adds an ellipsis to messages that the server completes with the field name. */
function withEllipsis(refusal: string): string {
  return /^(?:must|is) /.test(refusal) ? `… ${refusal}` : refusal;
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, maxItems, format, pattern, minimum, maximum } = schema;
  return [
    ...(minLength === undefined ? [] : [`at least ${printCount(minLength, 'character')}`]),
    ...(maxLength === undefined ? [] : [`at most ${printCount(maxLength, 'character')}`]),
    ...(maxItems === undefined ? [] : [`at most ${printCount(maxItems, 'item')}`]),
    ...(isContractBound(minimum) ? [`at least ${minimum.toLocaleString('en')}`] : []),
    ...(isContractBound(maximum) ? [`at most ${maximum.toLocaleString('en')}`] : []),
    ...(format === undefined ? [] : [`format ${format}`]),
    ...(pattern === undefined || format !== undefined || pattern.length > MAX_PATTERN_LENGTH
      ? []
      : [`matches \`${pattern}\``]),
  ];
}

function printCount(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Whether a bound comes from the contract. zod adds the safe integer range to every integer. */
function isContractBound(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
