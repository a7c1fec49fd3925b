import { inspect } from 'node:util';
import type { Schema } from '../../openapi/json-schema.ts';

const LONGEST_PATTERN = 60;

/** A TSDoc comment of the given lines, or nothing where there are none. */
export function printComment(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${escape(lines[0]!)} */`;
  return ['/**', ...lines.map((line) => ` * ${escape(line)}`.trimEnd()), ' */'].join('\n');
}

function escape(line: string): string {
  return line.replaceAll('*/', '*\\/');
}

/** Documentation of a field as an editor shows it: meaning, limits, example and what refuses it. */
export function fieldDocs(schema: Schema): string[] {
  const variants = [schema, ...(schema.anyOf ?? []).flatMap((one) => [one, ...(one.anyOf ?? [])])];
  const limits = variants.flatMap(limitsOf);
  const example = schema.examples?.[0];
  return [
    schema.description ?? '',
    ...(limits.length > 0 ? ['', `Limits: ${limits.join('; ')}.`] : []),
    ...(example === undefined ? [] : ['', `Example: \`${inspect(example)}\``]),
    ...(schema.refusal === undefined
      ? []
      : ['', `Refused with 400: "${inContext(schema.refusal)}"`]),
    ...(schema.default === undefined ? [] : ['', `@defaultValue ${inspect(schema.default)}`]),
  ].filter((line, index, all) => line !== '' || (index > 0 && all[index - 1] !== ''));
}

/** Sentence about a field; for a deeper one it begins with its path. */
function inContext(refusal: string): string {
  return /^(?:must|is) /.test(refusal) ? `… ${refusal}` : refusal;
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, maxItems, format, pattern, minimum, maximum } = schema;
  return [
    ...(minLength === undefined ? [] : [`at least ${count(minLength, 'character')}`]),
    ...(maxLength === undefined ? [] : [`at most ${count(maxLength, 'character')}`]),
    ...(maxItems === undefined ? [] : [`at most ${count(maxItems, 'item')}`]),
    ...(isBound(minimum) ? [`at least ${minimum.toLocaleString('en')}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum.toLocaleString('en')}`] : []),
    ...(format === undefined ? [] : [`format ${format}`]),
    ...(pattern === undefined || format !== undefined || pattern.length > LONGEST_PATTERN
      ? []
      : [`matches \`${pattern}\``]),
  ];
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Whether a bound of a number is one of ours; each integer has those of a double. */
function isBound(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
