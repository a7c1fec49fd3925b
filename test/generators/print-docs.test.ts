import { describe, expect, it } from 'vitest';
import { printThrows } from '../../client/generator/error-codes.ts';
import { printComment } from '../../client/generator/print-docs.ts';
import { printFieldDocs } from '../../contract/openapi/field-docs.ts';
import { printExample } from '../../client/generator/print-operations.ts';
import type { Operation } from '../../contract/openapi/collect-operations.ts';
import { type Refusals, refusal } from '#contract/refusal.ts';

describe('a comment', () => {
  it('has one line, several lines or is left out', () => {
    expect(printComment([])).toBe('');
    expect(printComment(['One line.'])).toBe('/** One line. */');
    expect(printComment(['Two', '', 'lines.'])).toBe('/**\n * Two\n * lines.\n */');
  });

  it('is not closed by `*/` in its text', () => {
    expect(printComment(['matches */*'])).toBe('/** matches *\\/* */');
  });
});

it('a pattern is shown only if it is short and the field has no format', () => {
  expect(printFieldDocs({ pattern: '^[a-z]$', minLength: 1, maxLength: 1_000 })).toBe(
    'At least 1 character, at most 1,000 characters, matches `^[a-z]$`.',
  );
  expect(printFieldDocs({ pattern: '^[0-9a-f-]{36}$', format: 'uuid' })).toBe('Format uuid.');
  expect(printFieldDocs({ pattern: 'a'.repeat(61), description: 'A name.' })).toBe('A name.');
});

it('an example of a field is left out if it is long', () => {
  expect(printFieldDocs({ description: 'A name.', examples: ['jane'] })).toBe(
    "A name. Example: `'jane'`",
  );
  expect(printFieldDocs({ description: 'A name.', examples: ['a'.repeat(100)] })).toBe('A name.');
});

it('printExample combines the examples of required fields, and of optional ones that fit', () => {
  const schemas = {
    Site: {
      type: 'object',
      required: ['blocks'],
      properties: {
        bio: { type: 'string', examples: ['Potter.'] },
        url: { type: 'string', examples: ['https://example.com/long'] },
        theme: { anyOf: [{ $ref: '#/$defs/Theme' }, { type: 'null' }] },
        mood: { type: ['string', 'null'] },
        blocks: { type: 'array', items: { $ref: '#/$defs/Block' } },
      },
    },
    Theme: { type: 'object', properties: { color: { type: 'string', examples: ['#101418'] } } },
    Block: { type: 'object', examples: [{ type: 'text' }] },
  };
  expect(printExample('Site', schemas)).toBe(
    "{ bio: 'Potter.', theme: { color: '#101418' }, blocks: [ { type: 'text' } ] }",
  );
});

it('printExample throws if a field has no example', () => {
  const schemas = { Stone: { type: 'object', properties: { weight: { type: 'number' } } } };
  expect(() => printExample('Stone', schemas)).toThrow(
    'The schema has no example: {"type":"number"}',
  );
});

it('printThrows lists the own errors of a method by status', () => {
  const refusals = {
    nameReserved: refusal(409, 'The name is reserved.', 'The name is not available.'),
    nameMissing: refusal(400, 'No name was sent.', 'A name is required.'),
    nameTaken: refusal(409, 'Another has the name.', '{name} is taken.', { name: 'jane' }),
  };
  const describeErrors = (own: Refusals) =>
    printThrows({ id: 'rename', route: { metadata: { refusals: own } } } as Operation);
  expect(describeErrors(refusals)).toBe(
    '@throws 400 `nameMissing`; 409 `nameReserved`, `nameTaken`: see `RenameErrorCode`.',
  );
  expect(describeErrors({})).toBe('');
});
