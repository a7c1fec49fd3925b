import { describe, expect, it } from 'vitest';
import { printDeclaration, printType } from '../../client/generator/print-type.ts';
import type { Schema } from '../../contract/openapi/json-schema.ts';

describe('printType', () => {
  it.each<[title: string, schema: Schema, type: string]>([
    ['a string', { type: 'string' }, 'string'],
    ['an integer', { type: 'integer' }, 'number'],
    ['an empty schema', {}, 'unknown'],
    ['a constant', { const: true }, 'true'],
    ['a reference', { $ref: '#/$defs/Block' }, 'Block'],
    ['a nullable string', { type: ['string', 'null'] }, 'string | null'],
    [
      'an enum of strings, which may get more values',
      { enum: ['a', 'b'] },
      '"a" | "b" | OtherValue',
    ],
    ['an enum with null', { enum: [1, null] }, '1 | null'],
    ['an array', { type: 'array', items: { type: 'boolean' } }, 'boolean[]'],
    [
      'an array of nullable numbers',
      { type: 'array', items: { type: ['number', 'null'] } },
      '(number | null)[]',
    ],
    ['a union without duplicates', { anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    [
      'a union of a constant and a string',
      { anyOf: [{ const: '' }, { type: 'string' }] },
      'string',
    ],
  ])('prints %s', (_title, schema, type) => {
    expect(printType(schema)).toBe(type);
  });

  it('documents each field of an object in one line: description, limits, example and default', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', maxLength: 36, description: 'The id.' },
        note: {
          type: 'string',
          description: 'A note.',
          examples: ["Jane's"],
          default: '',
        },
        theme: { $ref: '#/$defs/Theme' },
      },
      required: ['id'],
      additionalProperties: {},
    };
    const schemas = { Theme: { type: 'object', description: 'A theme.' } };
    expect(printType(schema, schemas)).toBe(
      `{
/** The id. At most 36 characters, format uuid. */
id: string;
/** A note. Example: \`"Jane's"\` Default: \`''\` */
note?: string | undefined;
/** A theme. */
theme?: Theme | undefined;
[key: string]: unknown;
}`,
    );
  });
});

it('printDeclaration prints an object as an interface, and other schemas as a type', () => {
  expect(
    printDeclaration('Thing', {
      Thing: { type: 'object', description: 'A thing.', examples: [{}] },
    }),
  ).toBe('/** A thing. */\nexport interface Thing {\n\n}');
  expect(printDeclaration('Name', { Name: { type: 'string', description: 'A name.' } })).toBe(
    '/** A name. */\nexport type Name = string;',
  );
});
