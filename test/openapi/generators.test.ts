import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { printComment } from '../../client/generator/print-docs.ts';
import { printExample } from '../../client/generator/print-operations.ts';
import { collectOperations } from '../../contract/openapi/collect-operations.ts';
import { toDocument } from '../../contract/openapi/document.ts';
import { withPatterns } from '../../contract/openapi/patterns.ts';

// What the generators print is compared with the committed files by `npm run check`. These are the
// mistakes in a contract that they refuse.

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

it('a contract needs an id for each schema of a body, and different ids', async () => {
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

it('an operation or a field without an example, and a pattern without its field are refused', async () => {
  const Stored = z.object({}).meta({ id: 'Stored', description: 'It is stored.' });
  const stones = defineEndpoints(NO_DEFAULTS, { read: { ...read, responses: { 200: Stored } } });
  const prose = { info: {}, servers: [], tags: [], securitySchemes: {}, examples: {} };
  const collected = await collectOperations({ stones });
  expect(() => toDocument(collected, prose)).toThrow('read has no examples.');
  const schemas = { Stone: { type: 'object', properties: { weight: { type: 'number' } } } };
  expect(() => printExample('Stone', schemas)).toThrow(
    'The schema has no example: {"type":"number"}',
  );
  expect(() => withPatterns('UpdateDisplayNameRequest', { properties: {} })).toThrow(
    'UpdateDisplayNameRequest has no field display_name.',
  );
});

it('a comment is not closed by `*/` in its text', () => {
  expect(printComment(['matches */*'])).toBe('/** matches *\\/* */');
});
