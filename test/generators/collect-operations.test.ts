import { expect, it } from 'vitest';
import { z } from 'zod';
import { printOperations } from '../../client/generator/print-operations.ts';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { collectOperations } from '../../contract/openapi/collect-operations.ts';
import { contract } from './small-contract.ts';

const collected = await collectOperations(contract);

it('collectOperations finds every operation with its headers, body and responses', () => {
  expect(collected.operations.map(({ route: _route, ...operation }) => operation)).toEqual([
    {
      area: 'stones',
      id: 'countStones',
      method: 'GET',
      path: '/stones',
      parameters: [],
      request: undefined,
      responses: { 200: 'Stored', 500: 'ErrorResponse', 503: 'ErrorResponse' },
    },
    {
      area: 'stones',
      id: 'storeStone',
      method: 'POST',
      path: '/stones',
      parameters: [
        { name: 'x-note', in: 'header', description: 'A note.', schema: { type: 'string' } },
      ],
      request: 'Stone',
      responses: {
        200: 'Stored',
        400: 'ErrorResponse',
        409: 'ErrorResponse',
        500: 'ErrorResponse',
        503: 'ErrorResponse',
      },
    },
  ]);
});

it('collectOperations finds every named schema', () => {
  expect(Object.keys(collected.schemas)).toEqual(['Stored', 'ErrorResponse', 'Stone']);
  expect(collected.schemas['Stone']).toEqual({
    type: 'object',
    description: 'A stone.',
    properties: {
      name: {
        type: 'string',
        description: 'Its name.',
        maxLength: 20,
        examples: ['Pebble'],
      },
      weight: {
        type: ['number', 'null'],
        description: 'In grams.',
        examples: [12],
      },
    },
    required: ['name'],
  });
});

const read = {
  method: 'GET',
  path: '/stones',
  summary: 'Read',
  description: 'Reads.',
  metadata: { failure: 'It failed.' },
} as const;
const NO_DEFAULTS = {
  access: 'write' as const,
  requestRefusals: {},
  writeRefusals: {},
  writeHeaders: {},
};

it('collectOperations rejects a schema without an id, and two schemas with the same id', async () => {
  const withoutSchemaId = defineEndpoints(NO_DEFAULTS, {
    read: { ...read, responses: { 200: z.object({}) } },
  });
  await expect(collectOperations({ stones: withoutSchemaId })).rejects.toThrow(
    'A body of read has a schema without an id.',
  );
  const schemas = ['one', 'two'].map((field) =>
    z.object({ [field]: z.string() }).meta({ id: 'Duplicate' }),
  );
  const withDuplicateId = defineEndpoints(NO_DEFAULTS, {
    read: { ...read, responses: { 200: schemas[0]! } },
    readAgain: { ...read, path: '/again', responses: { 200: schemas[1]! } },
  });
  await expect(collectOperations({ stones: withDuplicateId })).rejects.toThrow('Duplicate');
});

it('printOperations prints the client’s class, error codes and types', () => {
  expect(printOperations(collected, 'client')).toMatchInlineSnapshot(`
    "// Generated from the contract: change it there and run \`npm run generate\`.

    import type { APIPromise, Requester } from '../api-promise.ts';
    import type { RequestOptions } from '../options.ts';

    /** Operations of \`client.stones\`. */
    export class StonesOperations {
    readonly #client: Requester;

    constructor(client: Requester) {
    this.#client = client;
    }

    /**
     * Count the stones: \`GET /stones\`.
     * Returns how many there are.
     */
    countStones(options?: RequestOptions): APIPromise<Stored> {
    return this.#client.request('GET', '/stones', undefined, options);
    }

    /**
     * Store a stone: \`POST /stones\`.
     * Stores a stone.
     * @throws 409 \`stoneTaken\`: see \`StoreStoneErrorCode\`.
     * @example
     * const result = await client.stones.storeStone({ name: 'Pebble', weight: 12 });
     */
    storeStone(body: Stone, options?: RequestOptions): APIPromise<Stored> {
    return this.#client.request('POST', '/stones', body, options);
    }
    }

    /** Error codes that all GET methods share. */
    export type ReadErrorCode = 'busy' | 'internalError';

    /** Error codes that all methods without an idempotency key share, except GET methods. */
    export type QueryErrorCode = 'busy' | 'malformed' | 'internalError';

    /** Error codes of \`client.stones.countStones\`. A newer server may have more. */
    export type CountStonesErrorCode = ReadErrorCode;

    /** Error codes of \`client.stones.storeStone\`. A newer server may have more. */
    export type StoreStoneErrorCode = QueryErrorCode | 'stoneTaken';

    /** The stone is stored. */
    export interface Stored {
    /** How many there are. */
    count: number;
    }

    /** A stone. */
    export interface Stone {
    /** Its name. At most 20 characters. Example: \`'Pebble'\` */
    name: string;
    /** In grams. Example: \`12\` */
    weight?: number | null | undefined;
    }"
  `);
});
