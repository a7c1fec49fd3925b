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
  ['public', contract, buildDocument()],
  ['owner', ownerContract, buildOwnerDocument()],
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
    if (!['example', 'examples', 'value'].includes(key))
      yield* findObjects(child, `${path}/${key}`);
}

describe.each(documents)('the %s document', (_name, routes, document) => {
  const components = document.components as Record<string, JsonObject>;
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const successes = operations.map(({ operation }) => (operation.responses as JsonObject)['200']);
  const shared = Object.values(components.responses!) as JsonObject[];
  const responses = [...successes, ...shared.filter(({ content }) => content)] as JsonObject[];
  const webhookBodies = Object.values(document.webhooks as Record<string, JsonObject>).map(
    ({ post }) => (post as JsonObject).requestBody as JsonObject,
  );

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

  it('operations have at most two sentences, beside who may call them', () => {
    for (const { operation } of operations) {
      const text = String(operation.description)
        .replace(/^For operators[^.]*\. /, '')
        .replace(/ (?:A session needs|Needs a session)[^.]*\./g, '')
        .replaceAll(/`[^`]*`/g, '');
      expect(text.match(/\.(?= |$)/g)!.length, text).toBeLessThanOrEqual(2);
    }
  });

  it('every property with more than one value has a description', () => {
    for (const [path, schema] of findObjects(components.schemas!)) {
      if (schema.type !== 'object') continue;
      for (const [name, property] of Object.entries((schema.properties ?? {}) as JsonObject)) {
        const { $ref, description, enum: values } = property as JsonObject;
        if (Array.isArray(values) && values.length === 1) continue;
        const target = $ref === undefined ? undefined : (resolve(String($ref)) as JsonObject);
        expect(description ?? target?.description, `${path}/${name}`).toBeTypeOf('string');
      }
    }
  });

  it('patterns are short and alone, and there are no limits that say nothing', () => {
    for (const [path, schema] of findObjects(document)) {
      if (path.endsWith('/properties')) continue;
      const { pattern, minLength, minItems } = schema;
      expect([path, minLength, minItems]).not.toContain(0);
      if (pattern === undefined) continue;
      expect(String(pattern).length, path).toBeLessThanOrEqual(60);
      expect(pattern, path).toMatch(/^[ -~]+$/);
      expect(pattern, path).not.toMatch(/\\x00|\\0/);
      // Go and Rust know neither lookarounds nor back references.
      expect(pattern, path).not.toMatch(/\(\?[=!<]|\\[1-9]/);
      for (const keyword of ['format', 'const', 'enum', 'minLength'])
        expect(schema, path).not.toHaveProperty(keyword);
    }
  });

  it('responses and webhooks allow fields that a newer version adds', () => {
    const bodies = [...responses, ...webhookBodies].flatMap(({ content }) =>
      Object.values((content ?? {}) as Record<string, JsonObject>),
    );
    const closed = (schema: Json, seen = new Set<string>()): string[] =>
      [...findObjects(schema)].flatMap(([path, { $ref, additionalProperties }]) => {
        if (additionalProperties === false) return [path];
        if (typeof $ref !== 'string' || seen.has($ref)) return [];
        seen.add($ref);
        return closed(resolve($ref)!, seen).map((inner) => `${$ref}${inner}`);
      });
    expect(bodies.flatMap(({ schema }) => closed(schema!))).toEqual([]);
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

  it('block texts have a maxLength only if the server limits them', () => {
    const fields = components.schemas!['LinkBlockFields'] as JsonObject;
    const { title, url } = fields.properties as JsonObject;
    expect(title).not.toHaveProperty('maxLength');
    expect(url).toHaveProperty('maxLength', LIMITS.url);
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
    expect(document.security).toEqual(schemes);
    const scopes = {
      ...{ ingestMetrics: 'metrics', exportAccount: 'all', getServer: 'operator' },
      ...{ updatePage: 'page', restorePageVersion: 'page' },
    };
    for (const { operation } of operations) {
      const id = operation.operationId as keyof typeof scopes;
      const isPublic = UNAUTHENTICATED.has(id);
      const scope = scopes[id] ?? (expect.stringMatching(/^(?:read|all|operator)$/) as string);
      expect([id, operation.security, operation['x-scope']]).toEqual([
        id,
        ...(isPublic ? [[], undefined] : [undefined, scope]),
      ]);
    }
    for (const { description, headers } of responses)
      expect(headers, String(description)).toHaveProperty('X-Request-Id');
  });
});
