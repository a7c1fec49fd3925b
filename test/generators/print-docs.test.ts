import { describe, expect, it } from 'vitest';
import { fieldDocs, printComment } from '../../client/generator/print-docs.ts';
import { printExample } from '../../client/generator/print-operations.ts';
import { statusDocs } from '../../client/generator/status-docs.ts';
import { refusal } from '#contract/refusal.ts';

describe('a comment', () => {
  it('has one line, several lines or is left out', () => {
    expect(printComment([])).toBe('');
    expect(printComment(['One line.'])).toBe('/** One line. */');
    expect(printComment(['Two', '', 'lines.'])).toBe('/**\n * Two\n *\n * lines.\n */');
  });

  it('is not closed by `*/` in its text', () => {
    expect(printComment(['matches */*'])).toBe('/** matches *\\/* */');
  });
});

it('a pattern is shown only if it is short and the field has no format', () => {
  expect(fieldDocs({ pattern: '^[a-z]$', minLength: 1, maxLength: 1_000 })).toEqual([
    'Limits: at least 1 character; at most 1,000 characters; matches `^[a-z]$`.',
  ]);
  expect(fieldDocs({ pattern: '^[0-9a-f-]{36}$', format: 'uuid' })).toEqual([
    'Limits: format uuid.',
  ]);
  expect(fieldDocs({ pattern: 'a'.repeat(61), description: 'A name.' })).toEqual(['A name.']);
});

it('printExample combines the examples of nested fields', () => {
  const schemas = {
    Site: {
      type: 'object',
      properties: {
        bio: { type: 'string', examples: ['Potter.'] },
        public: { type: 'boolean' },
        theme: { anyOf: [{ $ref: '#/$defs/Theme' }, { type: 'null' }] },
        blocks: { type: 'array', items: { $ref: '#/$defs/Block' } },
      },
    },
    Theme: { type: 'object', properties: { color: { type: 'string', examples: ['#101418'] } } },
    Block: { type: 'object', examples: [{ type: 'text' }] },
  };
  expect(printExample('Site', schemas)).toBe(
    `{
  bio: 'Potter.',
  public: true,
  theme: { color: '#101418' },
  blocks: [ { type: 'text' } ]
}`,
  );
});

it('printExample throws if a field has no example', () => {
  const schemas = { Stone: { type: 'object', properties: { weight: { type: 'number' } } } };
  expect(() => printExample('Stone', schemas)).toThrow(
    'The schema has no example: {"type":"number"}',
  );
});

it('statusDocs lists the errors of an operation by status', () => {
  const docs = statusDocs({
    failure: 'The name could not be updated.',
    refusals: {
      nameMissing: refusal(400, 'No name was sent.', 'A name is required.'),
      nameReserved: refusal(409, 'The name is reserved.', 'The name is not available.'),
      nameTaken: refusal(409, 'Another has the name.', '{name} is taken.', { name: 'jane' }),
    },
    sharedRefusals: {
      validationFailed: refusal(400, 'A field is missing.', '{problem}', { problem: 'No.' }),
      unauthorized: refusal(401, 'The key is missing.', 'A key is required.'),
      internalError: refusal(500, 'The server failed.', 'The name could not be updated.'),
    },
  });
  expect(docs).toEqual([
    '@throws {BadRequestError} 400: No name was sent.',
    '@throws {AuthenticationError} 401: The key is missing.',
    '@throws {ConflictError} 409: The name is reserved. Another has the name.',
    '@throws {InternalServerError} 500: The server failed.',
    '@throws {APIConnectionError} No response: the connection failed or timed out.',
    '@throws {APIAbortError} The signal of this call was aborted.',
  ]);
});
