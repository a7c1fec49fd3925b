import { expect, it } from 'vitest';
import { inputOf, listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import type { JsonObject } from '#contract/openapi/json.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { call } from '../support/call.ts';
import { createOperator } from '../support/endpoints.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const [publicDocument, ownerDocument] = [buildDocument(), buildOwnerDocument()];

const { server, account } = useServer({ account: true });

it.each([
  '/owner/page/get-page-views?days=',
  '/owner/page/get-page-version?version=',
  '/owner/events/list-events?limit=',
])('a number in a query must be decimal digits: %s', async (path) => {
  for (const value of ['0x7', '0b11', '1e1', '1.5', '-1', '+1', ' 1', ''])
    expect([
      value,
      (await call(server.app, { path: path + encodeURIComponent(value), key: account.key })).status,
    ]).toEqual([value, 400]);
});

it.each([
  ['public', publicDocument, contract],
  ['owner', ownerDocument, ownerContract],
])('in the %s document, operations that need no body have none', async (_name, value, routes) => {
  const withoutBody = listRoutes(routes).filter((route) => inputOf(route).takesNoBody);
  expect(withoutBody).not.toEqual([]);
  const { key } = await createOperator(server);
  const request = { method: 'POST', key, headers: SAME_ORIGIN_HEADERS };
  const operations = value.paths as Record<string, Record<'post', JsonObject>>;
  for (const { path, metadata } of withoutBody) {
    expect(operations[path]!.post).not.toHaveProperty('requestBody');
    const isRefused = async (json: unknown) => {
      const payload = JSON.stringify(json);
      const { headers } = await call(server.app, { ...request, path, payload });
      return /^(?:validationFailed|unknownField)$/.test(headers['x-error-code'] ?? '');
    };
    // Many HTTP clients send one of these instead of no body.
    for (const json of [{}, [], null]) expect([path, await isRefused(json)]).toEqual([path, false]);
    for (const json of [[1], 1, 'x', true])
      expect([path, await isRefused(json)]).toEqual([path, true]);
    expect([path, await isRefused({ enabled: true })]).toEqual([
      path,
      'unknownField' in metadata.refusals,
    ]);
  }
});
