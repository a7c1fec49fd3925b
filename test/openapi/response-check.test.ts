import { describe, expect, it } from 'vitest';
import { checkResponse } from '../support/openapi-check.ts';

const PATH = '/account/get-display-name';
const BODY = JSON.stringify({ display_name: 'jane-doe' });
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'abc' };
/** One error code per status. */
const CODES: Record<number, string> = {
  401: 'unauthorized',
  404: 'pathNotFound',
  431: 'headersTooLarge',
  503: 'overloaded',
};

function check({
  method = 'GET',
  path = PATH,
  status = 200,
  headers = HEADERS as Record<string, string>,
  code = undefined as string | undefined,
  body = BODY,
}): () => void {
  const named = code ?? CODES[status];
  const all = { ...headers, ...(named !== undefined && { 'x-error-code': named }) };
  return () => checkResponse(method, path, status, new Headers(all), body);
}

describe('the response check accepts', () => {
  it.each([
    ['an answer as documented', {}],
    ['a documented error', { status: 401, body: '{"error":"A key is required."}' }],
    ['a HEAD answer without a body', { method: 'HEAD', body: '' }],
    ['an error outside the document', { path: '/no', status: 404, body: '{"error":"No."}' }],
    ['a page outside the document', { path: '/docs', headers: {}, body: '<html>' }],
    ['a refusal of the parser', { status: 431, body: '{"error":"The headers are too large."}' }],
    [
      'a Retry-After in seconds',
      { status: 503, headers: { ...HEADERS, 'retry-after': '5' }, body: '{"error":"Overloaded."}' },
    ],
  ])('%s', (_, answer) => {
    expect(check(answer)).not.toThrow();
  });
});

describe('the response check refuses', () => {
  it.each([
    ['a missing field', { body: '{}' }, "must have required property 'display_name'"],
    ['a field of another type', { body: '{"display_name":null}' }, 'must be string'],
    [
      'an undeclared field',
      { body: '{"display_name":"jane","id":1}' },
      'must NOT have additional properties',
    ],
    ['a body that is not JSON', { body: 'jane' }, 'a body that is not JSON: jane'],
    [
      'another content type',
      { headers: { ...HEADERS, 'content-type': 'text/plain' } },
      'text/plain',
    ],
    ['no request id', { headers: { 'content-type': 'application/json' } }, 'X-Request-Id'],
    ['a status that is not listed', { status: 404, body: '{"error":"No."}' }, 'does not declare'],
    ['an error of another shape', { status: 401, body: '{"message":"No."}' }, "property 'error'"],
    [
      'an error code that is not in the table',
      { status: 401, code: 'keyWrong', body: '{"error":"No."}' },
      'docs/errors.md',
    ],
    [
      'an error code of another status',
      { status: 401, code: 'overloaded', body: '{"error":"No."}' },
      'docs/errors.md',
    ],
    [
      'an error code of another operation',
      { status: 401, code: 'loginFailed', body: '{"error":"No."}' },
      'which the document does not declare',
    ],
    ['an error code of a success', { code: 'overloaded' }, 'docs/errors.md'],
    ['an empty error', { status: 401, body: '{"error":""}' }, 'fewer than 1 characters'],
    [
      'an error of another shape outside the document',
      { path: '/no', status: 404, body: 'Not found' },
      'not JSON',
    ],
    [
      'a Retry-After that is not in seconds',
      { status: 503, headers: { ...HEADERS, 'retry-after': 'soon' }, body: '{"error":"Busy."}' },
      'Retry-After',
    ],
  ])('%s', (_, answer, reason) => {
    expect(check(answer)).toThrow(reason);
  });
});
