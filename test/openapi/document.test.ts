import { isAppRoute, type AppRoute, type AppRouter } from '@ts-rest/core';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import { isObject, type Json, type JsonObject } from '#contract/openapi/json.ts';
import { unauthenticatedContract, ownerContract } from '#contract/owner/index.ts';
import { LIMITS } from '#contract/shared/limits.ts';

/** Ids of operations without authentication. */
const UNAUTHENTICATED = new Set<string>(
  Object.values(unauthenticatedContract).flatMap((area) => Object.keys(area)),
);
const documents = [
  ['public', contract, await buildDocument()],
  ['owner', ownerContract, await buildOwnerDocument()],
] as const;

function listRoutes(router: AppRouter): AppRoute[] {
  return Object.values(router).flatMap((entry) =>
    isAppRoute(entry) ? [entry] : listRoutes(entry),
  );
}

function* findObjects(value: Json, path = '#'): Generator<[string, JsonObject]> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* findObjects(item, `${path}/${index}`);
  if (!isObject(value)) return;
  yield [path, value];
  for (const [key, child] of Object.entries(value))
    if (key !== 'examples' && key !== 'value') yield* findObjects(child, `${path}/${key}`);
}

describe.each(documents)('the %s document', (contractName, routes, document) => {
  const components = document.components as Record<string, JsonObject>;
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const successes = operations.map(({ operation }) => (operation.responses as JsonObject)['200']);
  const responses = [...successes, ...Object.values(components.responses!)] as JsonObject[];

  function resolve(reference: string): Json | undefined {
    return reference
      .slice(2)
      .split('/')
      .reduce<Json | undefined>(
        (value, key) => (isObject(value) ? value[key] : undefined),
        document,
      );
  }

  it('contains exactly the endpoints of the contract with their statuses', () => {
    const documented = operations.map(({ path, method, operation }) => [
      `${method.toUpperCase()} ${path}`,
      Object.keys(operation.responses as JsonObject),
    ]);
    expect(documented).toEqual(
      listRoutes(routes).map((route) => [
        `${route.method} ${route.path}`,
        Object.keys(route.responses),
      ]),
    );
  });

  it('every object schema except kinds of blocks has additionalProperties, and every property has a description', () => {
    for (const [path, schema] of findObjects(components.schemas!)) {
      if (schema.type !== 'object') continue;
      const isBlock = /^\W*(?!Other)\w+Block(?:Update)?\b/.test(path);
      expect('additionalProperties' in schema, path).toBe(!isBlock);
      for (const [name, property] of Object.entries((schema.properties ?? {}) as JsonObject)) {
        const { $ref, description } = property as JsonObject;
        const target = $ref === undefined ? undefined : (resolve(String($ref)) as JsonObject);
        expect(description ?? target?.description, `${path}/${name}`).toBeTypeOf('string');
      }
    }
  });

  it('no schema has a default, because openapi-typescript would make the field required', () => {
    const withDefault = [...findObjects(components['schemas'] ?? {})].filter(
      ([path, schema]) => !path.endsWith('/properties') && 'default' in schema,
    );
    expect(withDefault.map(([path]) => path)).toEqual([]);
  });

  it('types are alone or beside null, because converters to OpenAPI 3.0 know only those', () => {
    for (const [path, { type }] of findObjects(document)) {
      if (path.endsWith('/properties')) continue;
      expect(type, path).not.toBe('null');
      if (Array.isArray(type)) expect([path, type]).toEqual([path, [expect.any(String), 'null']]);
    }
  });

  it('a reference beside null says null in its type, where some tools only look', () => {
    const nullable = [...findObjects(document)].filter(
      ([, { anyOf }]) => Array.isArray(anyOf) && JSON.stringify(anyOf).includes('"enum":[null]'),
    );
    const references = nullable.filter(([, { anyOf }]) => '$ref' in (anyOf as JsonObject[])[0]!);
    expect(references).not.toEqual([]);
    for (const [path, { type }] of references)
      expect([path, type]).toEqual([path, ['object', 'null']]);
  });

  it('no maxLength exceeds the size of a body, and no parameter has an example', () => {
    for (const [path, { maxLength = 0 }] of findObjects(document)) {
      // The links of 10,000 invitations.
      const limit = path.endsWith('/links_csv') ? 10_000_000 : LIMITS.bodyBytes;
      expect(maxLength, path).toBeLessThanOrEqual(limit);
    }
    expect(JSON.stringify(components.parameters)).not.toContain('example');
  });

  it('accepts a key in either header, or a session cookie', () => {
    expect(components.securitySchemes).toMatchObject({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
      Bearer: { type: 'http', scheme: 'bearer' },
      Session: { type: 'apiKey', in: 'cookie', name: '__Host-nameplate' },
    });
  });

  it('every operation declares its authentication, and every response X-Request-Id', () => {
    const schemes = Object.keys(components.securitySchemes!).map((scheme) => ({ [scheme]: [] }));
    const scopes = { ingestMetrics: 'metrics', exportAccount: 'all', getServer: 'operator' };
    for (const { operation } of operations) {
      const id = operation.operationId as keyof typeof scopes;
      const isPublic = UNAUTHENTICATED.has(id);
      const scope = scopes[id] ?? (expect.stringMatching(/^(?:read|all|operator)$/) as string);
      expect([id, operation.security, operation['x-scope']]).toEqual([
        id,
        ...(isPublic ? [[], undefined] : [schemes, scope]),
      ]);
    }
    for (const { description, headers } of responses)
      expect(headers, String(description)).toHaveProperty('X-Request-Id');
  });

  it('responses with several error codes say what each of them means', () => {
    for (const { description, headers } of responses as Record<string, JsonObject>[]) {
      const { schema } = (headers!['X-Error-Code'] ?? {}) as { schema?: { enum: string[] } };
      const [code, ...others] = schema?.enum ?? [];
      if (others.length === 0) continue;
      const listed = [...String(description).matchAll(/^- `(\w+)`: \S/gm)].map(([, name]) => name);
      expect(listed).toEqual([code, ...others]);
    }
  });

  it('every operation has samples for curl, the SDK with its method name, fetch and Python', () => {
    for (const { path, operation } of operations) {
      const [curl, sdk, fetch, python] = operation['x-codeSamples'] as { source: string }[];
      expect(curl!.source).toMatch(
        /^curl \\\n {2}'?http:\/\/127\.0\.0\.1:3000(\S+?)(?:\?\S+')? \\\n/,
      );
      expect(curl!.source).toContain(`http://127.0.0.1:3000${path}`);
      const [area] = operation.tags as string[];
      const client = contractName === 'public' ? 'client' : 'ownerOf(client)';
      const call = `await ${client}.${area}.${String(operation.operationId)}(`;
      if (UNAUTHENTICATED.has(operation.operationId as string)) expect(sdk).toBeUndefined();
      else expect(sdk!.source).toContain(call);
      if (sdk) expect(python!.source).toContain(`    'http://127.0.0.1:3000${path}`);
      if (sdk) expect(fetch!.source).toMatch(/^(?:import .*\n\n)?const response = await fetch\('/);
    }
  });
});
