import { describe, expect, it } from 'vitest';
import { printDeclaration, printType } from '../../client/generator/print-type.ts';
import type { Schema } from '../../openapi/json-schema.ts';

describe('the type of a schema', () => {
  it.each<[title: string, schema: Schema, type: string]>([
    ['a string', { type: 'string' }, 'string'],
    ['an integer', { type: 'integer' }, 'number'],
    ['anything', {}, 'unknown'],
    ['a constant', { const: true }, 'true'],
    ['a reference', { $ref: '#/$defs/Block' }, 'Block'],
    ['what can be null', { type: ['string', 'null'] }, 'string | null'],
    ['a choice that stays open', { enum: ['a', 'b'] }, '"a" | "b" | (string & {})'],
    ['a choice of more than texts', { enum: [1, null] }, '1 | null'],
    ['a list', { type: 'array', items: { type: 'boolean' } }, 'boolean[]'],
    [
      'a list of what can be null',
      { type: 'array', items: { type: ['number', 'null'] } },
      '(number | null)[]',
    ],
    ['a union, without repeats', { anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    ['a constant beside a string', { anyOf: [{ const: '' }, { type: 'string' }] }, 'string'],
  ])('%s', (_title, schema, type) => {
    expect(printType(schema)).toBe(type);
  });

  it('an object documents everything known about its fields', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', maxLength: 36, description: 'The id.' },
        note: {
          type: 'string',
          description: 'A note.',
          examples: ["Jane's"],
          default: '',
          refusal: 'must be a string.',
        },
        theme: { $ref: '#/$defs/Theme' },
      },
      required: ['id'],
      additionalProperties: {},
    };
    const schemas = { Theme: { type: 'object', description: 'A theme.' } };
    expect(printType(schema, schemas)).toBe(
      `{
/**
 * The id.
 *
 * Limits: at most 36 characters; format uuid.
 */
id: string;
/**
 * A note.
 *
 * Example: \`"Jane's"\`
 *
 * Refused with 400: "… must be a string."
 *
 * @defaultValue ''
 */
note?: string | undefined;
/** A theme. */
theme?: Theme | undefined;
[key: string]: unknown;
}`,
    );
  });
});

it('a named object is an interface, anything else a type', () => {
  expect(
    printDeclaration('Thing', {
      Thing: { type: 'object', description: 'A thing.', examples: [{}] },
    }),
  ).toBe('/** A thing. */\nexport interface Thing {\n\n}');
  expect(printDeclaration('Name', { Name: { type: 'string', description: 'A name.' } })).toBe(
    '/** A name. */\nexport type Name = string;',
  );
});
