import { describe, expect, it } from 'vitest';
import { API_BLOCKS } from '#contract/shared/blocks.ts';
import { NOT_BLANK_PATTERN } from '#contract/text.ts';
import { toDocument } from '../../contract/openapi/document.ts';
import type { Json, JsonObject } from '../../contract/openapi/json.ts';
import type { Schemas } from '../../contract/openapi/json-schema.ts';
import { withPatterns } from '../../contract/openapi/patterns.ts';
import { completeSchema } from '../../contract/openapi/schema.ts';
import { variantsOf } from '../../contract/openapi/variants.ts';
import { collectOperations } from '../../contract/openapi/collect-operations.ts';
import { contract } from './small-contract.ts';

describe('completeSchema', () => {
  it.each<[title: string, schema: JsonObject, expected: JsonObject]>([
    [
      'adds a pattern and minLength to a string without limits: no NUL, may be empty',
      { type: 'string' },
      { type: 'string', pattern: '^[^\\x00]*$', minLength: 0 },
    ],
    [
      'adds minLength 1 to a string whose pattern does not match an empty string',
      { type: 'string', pattern: '^[a-z]$' },
      { type: 'string', pattern: '^[a-z]$', minLength: 1 },
    ],
    [
      'adds no pattern to a string with a format',
      { type: 'string', format: 'uuid' },
      { type: 'string', format: 'uuid', minLength: 1 },
    ],
    ['adds minItems 0 to an array', { type: 'array' }, { type: 'array', minItems: 0 }],
    [
      'writes additionalProperties as true if any value is allowed',
      { type: 'object', additionalProperties: {} },
      { type: 'object', additionalProperties: true },
    ],
    [
      'merges a number or null into one type list',
      { description: 'A.', anyOf: [{ type: 'number', maximum: 2 }, { type: 'null' }] },
      { type: ['number', 'null'], description: 'A.', maximum: 2 },
    ],
    [
      'adds null to the values of an enum',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'keeps a union of a reference and null',
      { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
    ],
    [
      'leaves out additional properties that are null',
      { type: 'object', additionalProperties: null },
      { type: 'object' },
    ],
    [
      'does not change constants and examples that look like schemas',
      { const: { type: 'string' }, examples: [{ type: 'array' }] },
      { const: { type: 'string' }, examples: [{ type: 'array' }] },
    ],
    [
      'completes nested schemas, and keeps a property named `propertyNames`',
      {
        type: 'object',
        properties: { propertyNames: { type: 'array', items: { type: 'string' } } },
      },
      {
        type: 'object',
        properties: {
          propertyNames: {
            type: 'array',
            minItems: 0,
            items: { type: 'string', pattern: '^[^\\x00]*$', minLength: 0 },
          },
        },
        additionalProperties: true,
      },
    ],
  ])('%s', (_title, schema, expected) => {
    expect(completeSchema(schema)).toEqual(expected);
  });
});

it('withPatterns adds patterns to the fields of a schema, and throws if a field does not exist', () => {
  const schema = { type: 'object', properties: { display_name: { type: 'string' } } };
  expect(withPatterns('UpdateDisplayNameRequest', schema).properties?.['display_name']).toEqual({
    type: 'string',
    pattern: '^\\s*[^\\s\\x00][^\\x00]*$',
    maxLength: 255,
  });
  expect(withPatterns('Stone', schema)).toEqual(schema);
  expect(() => withPatterns('UpdateDisplayNameRequest', { properties: {} })).toThrow(
    'UpdateDisplayNameRequest has no field display_name.',
  );
});

it('variantsOf splits a schema with rules between fields into variants', () => {
  const ChatMessage = {
    type: 'object',
    description: 'A message.',
    properties: {
      content: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
      embeds: { type: 'array' },
    },
  };
  const variants = variantsOf({ ChatMessage });
  expect(variants['ChatMessage']).toEqual({
    description: 'A message.',
    anyOf: [{ $ref: '#/$defs/ChatMessageWithContent' }, { $ref: '#/$defs/ChatMessageWithEmbeds' }],
  });
  expect(variants['BaseChatMessage']).toEqual(ChatMessage);
  expect(variants['ChatMessageWithContent']).toEqual({
    description: 'A message with text and, optionally, embeds.',
    allOf: [
      { $ref: '#/$defs/BaseChatMessage' },
      {
        type: 'object',
        required: ['content'],
        properties: {
          content: { type: 'string', maxLength: 9, minLength: 1, pattern: NOT_BLANK_PATTERN },
        },
        additionalProperties: {},
      },
    ],
  });
});

describe.for(['Block', 'BlockUpdate'])('the variants of %s', (name) => {
  const variants = variantsOf({ [name]: { type: 'object', properties: {} }, ChatMessage: {} }, [
    name,
  ]);

  it('include one per kind with its fields, and one for all other kinds', () => {
    expect(Object.keys(variants)).toHaveLength(Object.keys(API_BLOCKS).length + 3);
    expect(variants).not.toHaveProperty('ChatMessage');
    for (const [kind, { fields }] of Object.entries(API_BLOCKS))
      expect(Object.keys(fieldsOf(kind))).toEqual(
        expect.arrayContaining(['type', ...Object.keys(fields)]),
      );
    expect(variants[name]?.anyOf?.at(-1)).toEqual({ $ref: `#/$defs/Other${name}` });
    expect(variants[`Other${name}`]?.allOf?.[1]?.properties?.['type']).not.toHaveProperty('type');
    // With a discriminator, generated clients can narrow unions by type.
    for (const { discriminator } of [variants[name]!, variants[`Base${name}`]!])
      expect(discriminator).toEqual({
        propertyName: 'type',
        mapping: expect.objectContaining({
          link: `#/components/schemas/Link${name}`,
          other: `#/components/schemas/Other${name}`,
        }),
      });
  });

  it('describe each field, with an example or default unless it is a boolean', () => {
    for (const { type, description, examples, default: defaultValue } of Object.keys(
      API_BLOCKS,
    ).flatMap((kind) =>
      Object.values(fieldsOf(kind)).filter((field) => field.enum?.length !== 1),
    )) {
      expect(description).toMatch(/./);
      const hasExample = examples !== undefined || defaultValue !== undefined || type === 'boolean';
      expect(hasExample, description).toBe(true);
    }
  });

  function fieldsOf(kind: string): Schemas {
    const { allOf } = Object.values(variants).find((variant) =>
      variant.allOf?.some(({ properties }) => properties?.['type']?.enum?.[0] === kind),
    )!;
    return allOf![1]!.properties!;
  }
});

describe('the OpenAPI document of a contract', async () => {
  const prose = {
    info: {},
    servers: [],
    tags: [],
    securitySchemes: { Ticket: {} },
    links: { storeStone: { count: { operationId: 'countStones' } } },
    examples: {
      countStones: { response: { name: 'Two', summary: 'Two stones.', value: { count: 2 } } },
      storeStone: {
        request: { name: 'Pebble', summary: 'A pebble.', value: { name: "Jane's" } },
        response: { name: 'One', summary: 'The first.', value: { count: 1 } },
      },
    },
  };
  const collected = await collectOperations(contract);
  const document = toDocument(collected, prose);
  const { responses, examples, parameters } = document['components'] as Record<string, JsonObject>;
  const { post } = (document['paths'] as Record<string, JsonObject>)['/stones'] as {
    post: Record<string, Json>;
  };

  it('names a response after its operation if the operation has its own errors for the status, else after the error', () => {
    expect(post['responses']).toEqual({
      200: { $ref: '#/components/responses/StoreStoneOk' },
      400: { $ref: '#/components/responses/Malformed' },
      409: { $ref: '#/components/responses/StoreStoneConflict' },
      500: { $ref: '#/components/responses/StoreStoneInternalServerError' },
      503: { $ref: '#/components/responses/Busy' },
    });
    expect(Object.keys(responses!)).toHaveLength(7);
  });

  it('describes when a response occurs, and shows its message with filled placeholders', () => {
    expect(responses!['StoreStoneConflict']).toEqual({
      description: 'Another has it.',
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/RequestId' },
        'X-Error-Code': {
          description: 'The error code. Codes never change; messages may.',
          required: true,
          schema: { type: 'string', enum: ['stoneTaken'] },
          example: 'stoneTaken',
        },
        'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorResponse' },
          examples: { StoneTaken: { $ref: '#/components/examples/StoneTaken' } },
        },
      },
    });
    expect(examples!['StoneTaken']).toEqual({
      summary: 'Another has it.',
      value: { error: 'Pebble is taken.' },
    });
    expect(examples!['StoreStoneFailed']).toEqual({
      summary: 'The server or a service that it depends on failed.',
      value: { error: 'The stone could not be stored.' },
    });
    expect((responses!['StoreStoneOk'] as JsonObject)['links']).toEqual(prose.links.storeStone);
  });

  it('preserves the case of a header, and says whether it is optional', () => {
    expect(post['parameters']).toEqual([{ $ref: '#/components/parameters/XNote' }]);
    expect(parameters).toEqual({
      XNote: {
        name: 'X-Note',
        in: 'header',
        description: 'A note.',
        required: false,
        schema: { type: 'string', pattern: '^[^\\x00]*$', minLength: 0 },
      },
    });
  });

  it('shows each operation as a curl command and as SDK code, with escaped quotes', () => {
    const [curl, sdk] = post['x-codeSamples'] as { source: string }[];
    expect(curl!.source).toBe(
      [
        'curl http://127.0.0.1:3000/stones',
        '--request POST',
        '--header "X-API-KEY: $NAMEPLATE_API_KEY"',
        "--header 'Content-Type: application/json'",
        `--data '{"name":"Jane'\\''s"}'`,
      ].join(' \\\n  '),
    );
    expect(sdk!.source).toBe(
      `import { Nameplate } from '@nameplate/client';

const client = new Nameplate({
  apiKey: process.env.NAMEPLATE_API_KEY,
  baseUrl: 'http://127.0.0.1:3000',
});
const result = await client.stones.storeStone({
  name: "Jane's",
});
console.log(result);`,
    );
  });

  it('requires an example for every operation', () => {
    expect(() => toDocument(collected, { ...prose, examples: {} })).toThrow(
      'countStones has no examples.',
    );
  });
});
