import { describe, expect, it } from 'vitest';
import { type Contract, listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { isTemporary, listErrorsByCode } from '#server/entry/api/docs/list-errors.ts';
import { call } from '../support/call.ts';
import { DOCUMENTED_ERRORS } from '../support/response-expectations.ts';
import { openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

interface Response {
  $ref?: string;
  description: string;
  headers: object;
  'x-error-codes': string[];
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
}

describe.each([
  ['public', contract as Contract, buildDocument()],
  ['owner', ownerContract as Contract, buildOwnerDocument()],
])('the %s OpenAPI document', (_name, routes, json) => {
  const document = json as unknown as Document;

  const dereference = ({ $ref, ...response }: Response): Omit<Response, '$ref'> =>
    $ref ? document.components.responses[$ref.split('/').at(-1)!]! : response;

  const endpoints = Object.values(routes).flatMap((area) => Object.values(area));
  it.each(endpoints)('names the error codes of $method $path', ({ method, path, metadata }) => {
    const { responses } = document.paths[path]![method.toLowerCase()]!;
    const refusals = Object.entries({ ...metadata.refusals, ...metadata.sharedRefusals });
    for (const [status, equal] of Map.groupBy(refusals, ([, refusal]) => refusal.status)) {
      const { headers, 'x-error-codes': codes } = dereference(responses[status]!);
      expect(codes.toSorted()).toEqual(equal.map(([code]) => code).toSorted());
      for (const code of codes) expect(DOCUMENTED_ERRORS).toContain(`${status} ${code}`);
      expect(headers).toHaveProperty('X-Error-Code');
    }
  });

  it('explains each error code that it names', () => {
    const errors = Object.values(document.components.responses).filter(
      (response) => 'x-error-codes' in response,
    );
    const codes = new Set(errors.flatMap((response) => response['x-error-codes']));
    expect(codes).toContain('validationFailed');
    const texts = errors.map(({ description }) => description).join('\n');
    const explained = texts.match(/(?<=^(?:- )?`)\w+(?=`: \S)/gm);
    for (const code of codes) expect(explained).toContain(code);
  });
});

describe('the list of errors', () => {
  const errors = listErrorsByCode();

  it('says for every status that clients retry whether that helps', () => {
    // These say neither to try again nor what else to do. An error that this list lacks belongs
    // here, or to those for which a retry does not help.
    const silent = ['blocksNotRemoved', 'blocksNotSaved', 'chatPlatformFailed', 'internalError'];
    const others = ['domainRateLimited', 'notReady', 'requestTimeout', 'exportInProgress'];
    const [lasting, unclear] = [false, true].map((isRetried) => [
      ...new Set(
        errors.flatMap(([code, equal]) =>
          equal
            .filter(({ status }) => status >= 500 || status === 408 || status === 429)
            .filter((error) => isTemporary(error) === isRetried)
            .filter(({ message }) => !/[Tt]ry again|can be sent on/.test(message))
            .map(() => code),
        ),
      ),
    ]);
    expect(unclear).toEqual([...silent, ...others].toSorted());
    expect(lasting).toEqual([
      ...['bundleFailed', 'outcomeUnknown', 'queryTooExpensive'],
      ...['requestInterrupted', 'signOnMisconfigured'],
    ]);
  });

  it('has every message of a code', () => {
    const messagesOf = new Map(
      errors.map(([code, equal]) => [code, equal.map(({ message }) => message)]),
    );
    for (const { metadata } of listRoutes(contract, ownerContract))
      for (const [code, { message }] of Object.entries(metadata.refusals))
        expect(messagesOf.get(code)).toContain(message);
  });

  it('says once what leads to an error', () => {
    for (const [code, equal] of errors)
      for (const { when } of equal) {
        const sentences = when.split(/(?<=\.) /);
        expect([code, sentences]).toEqual([code, [...new Set(sentences)]]);
      }
  });
});

describe('a response', () => {
  const { server } = useServer();

  it('has the error code and field, even if it is replayed for an idempotency key', async () => {
    const { key } = await server.createAccount();
    const request = { method: 'POST', path: '/account/update-display-name', key };
    const headers = { 'idempotency-key': 'again' };
    const responses = [];
    for (let count = 0; count < 3; count += 1)
      responses.push(
        await call(server.app, { ...request, json: { display_name: 'Admin' }, headers }),
      );
    expect(responses.map((response) => response.headers['x-error-code'])).toEqual(
      Array.from({ length: 3 }, () => 'displayNameReserved'),
    );
    expect(responses.map((response) => response.headers['x-error-field'])).toEqual(
      Array.from({ length: 3 }, () => 'display_name'),
    );
    expect(responses.map((response) => response.headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
      'true',
    ]);
  });

  it('links to the explanation of its error, which the server has for every code', async () => {
    const { payload } = await server.app.inject({ url: '/docs/errors' });
    const entries = payload.matchAll(/<div id="(\w+)" class="columns"/g);
    const anchors = Array.from(entries, ([, code]) => code!);
    const codes = [...DOCUMENTED_ERRORS].map((error) => error.split(' ')[1]!);
    expect(anchors.toSorted()).toEqual([...new Set(codes)].toSorted());
    const publicServer = await openTestApp(
      { PUBLIC_URL: 'https://names.example.org' },
      server.database,
    );
    for (const [app, base] of [
      [server.app, ''],
      [publicServer.app, 'https://names.example.org'],
    ] as const)
      expect((await call(app, { path: '/site/get-site-status' })).headers['link']).toBe(
        `<${base}/docs/errors#apiKeyMissing>; rel="help"`,
      );
  });

  it('has no error code on success', async () => {
    const { key } = await server.createAccount();
    const response = await call(server.app, { path: '/site/get-site-status', key });
    expect(response.headers).not.toHaveProperty('x-error-code');
  });
});
