import { describe, expect, it } from 'vitest';
import { checkResponse } from '../support/openapi-check.ts';

const PATH = '/account/get-display-name';
const BODY = JSON.stringify({ display_name: 'jane-doe' });
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'abc' };
/** Default error code by status. */
const CODES: Record<number, string> = {
  401: 'unauthorized',
  404: 'pathNotFound',
  431: 'headersTooLarge',
  503: 'overloaded',
};

function checkWith({
  method = 'GET',
  path = PATH,
  status = 200,
  headers = HEADERS as Record<string, string>,
  code = undefined as string | undefined,
  body = BODY,
}): () => void {
  const errorCode = code ?? CODES[status];
  const allHeaders = { ...headers, ...(errorCode !== undefined && { 'x-error-code': errorCode }) };
  return () => checkResponse(method, path, status, new Headers(allHeaders), body);
}

describe('the response check accepts', () => {
  it.each([
    ['a documented response', {}],
    ['a documented error', { status: 401, body: '{"error":"A key is required."}' }],
    ['a HEAD response without a body', { method: 'HEAD', body: '' }],
    ['an error of an undocumented path', { path: '/no', status: 404, body: '{"error":"No."}' }],
    ['a page at an undocumented path', { path: '/docs', headers: {}, body: '<html>' }],
    [
      'an error of the HTTP parser',
      { status: 431, body: '{"error":"The headers are too large."}' },
    ],
    [
      'a Retry-After in seconds',
      { status: 503, headers: { ...HEADERS, 'retry-after': '5' }, body: '{"error":"Overloaded."}' },
    ],
  ])('%s', (_, response) => {
    expect(checkWith(response)).not.toThrow();
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
    [
      'an undeclared status',
      { status: 404, body: '{"error":"No."}' },
      'which is not in the OpenAPI document',
    ],
    ['an error in another format', { status: 401, body: '{"message":"No."}' }, "property 'error'"],
    [
      'an undocumented error code',
      { status: 401, code: 'keyWrong', body: '{"error":"No."}' },
      'docs/errors.md',
    ],
    [
      'an error code for another status',
      { status: 401, code: 'overloaded', body: '{"error":"No."}' },
      'docs/errors.md',
    ],
    [
      'an error code for another operation',
      { status: 401, code: 'loginFailed', body: '{"error":"No."}' },
      'which is not in the OpenAPI document',
    ],
    ['an error code in a successful response', { code: 'overloaded' }, 'docs/errors.md'],
    ['an empty error message', { status: 401, body: '{"error":""}' }, 'fewer than 1 characters'],
    [
      'an error in another format at an undocumented path',
      { path: '/no', status: 404, body: 'Not found' },
      'not JSON',
    ],
    [
      'a Retry-After that is not in seconds',
      { status: 503, headers: { ...HEADERS, 'retry-after': 'soon' }, body: '{"error":"Busy."}' },
      'Retry-After',
    ],
  ])('%s', (_, response, reason) => {
    expect(checkWith(response)).toThrow(reason);
  });
});
