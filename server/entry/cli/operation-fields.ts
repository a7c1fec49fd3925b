import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { Route } from '#contract/define-endpoints.ts';
import { deprecateFields } from '#contract/deprecations.ts';
import { exampleOf } from '#contract/openapi/example-of.ts';
import { printFieldDocs } from '#contract/openapi/field-docs.ts';
import { referencedName, type Schema, toJsonSchema } from '#contract/openapi/json-schema.ts';
import { decodeTextFile } from '#contract/shared/decode-text-file.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { CommandFailedError } from './command-failed.ts';

/** A field of the body or query of an operation. */
export interface Field {
  name: string;
  option: Option;
  /** Types of JSON Schema. */
  types: string[];
  /** The example as an argument of a shell, with the option. */
  example: string;
  isRequired: boolean;
}

export function fieldsOf(route: Route, operation: string): Field[] {
  const input = inputOf(route);
  if (input === undefined) return [];
  const { root, definitions } = toJsonSchema(input, 'input');
  const resolve = (schema: Schema): Schema => ({
    ...definitions[referencedName(schema)],
    ...schema,
  });
  const { properties = {}, required = [] } = resolve(root);
  deprecateFields(referencedName(root) || operation, properties);
  return Object.entries(properties).map(([name, property]) => {
    const schema = resolve(property);
    const types = [schema, ...(schema.anyOf ?? []).map(resolve)].flatMap(({ type = [] }) => type);
    const isRequired = required.includes(name);
    const flag = toFlag(name);
    const docs = `${isRequired ? 'Required. ' : ''}${printFieldDocs(schema).replace('\n@deprecated ', ' Deprecated: ')}`;
    return {
      name,
      option: new Option(`${flag} ${placeholderFor(schema, types)}`, docs),
      types,
      example: `${flag} ${toShell(exampleOf(schema, definitions))}`,
      isRequired,
    };
  });
}

/** The query of a GET, the body of others. */
export function inputOf({ query, ...route }: Route): z.ZodType | undefined {
  const input = 'body' in route ? route.body : query;
  return input instanceof z.ZodType ? input : undefined;
}

function toFlag(name: string): string {
  return `--${name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function placeholderFor({ enum: choices }: Schema, types: readonly string[]): string {
  if (types.includes('boolean')) return '[true|false]';
  if (choices) return `<${choices.join('|')}>`;
  if (types.includes('string')) return '<text>';
  if (types.includes('array')) return '<list>';
  return types.includes('object') ? '<json>' : '<number>';
}

function toShell(example: unknown): string {
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  if (text.includes('\n')) return '@FILE';
  return /^[\w.:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Leaves wrong values as they are: the server explains them. */
export async function parseField(argument: string | true, types: string[]): Promise<unknown> {
  const text = argument === true ? 'true' : await readText(argument);
  if (text === 'null' && types.includes('null')) return null;
  if (types.includes('string')) return text;
  if (types.includes('array') && !text.trimStart().startsWith('[')) return text.split(',');
  return parseJson(text) ?? text;
}

export async function readText(argument: string): Promise<string> {
  const content = await readArgument(argument);
  const text = typeof content === 'string' ? content : decodeTextFile(content);
  if (text === undefined) throw new CommandFailedError(`${argument.slice(1)} is not a text file.`);
  return text;
}

/** Reads a file for `@file` and standard input for `-`. `@@` begins a text with `@`. */
export async function readArgument(argument: string): Promise<string | Buffer> {
  if (argument === '-') return buffer(process.stdin);
  if (!argument.startsWith('@')) return argument;
  const path = argument.slice(1);
  if (path.startsWith('@')) return path;
  return readFile(path).catch((cause: Error) => {
    throw new CommandFailedError(`${path} cannot be read (${cause.message}).`, { cause });
  });
}
