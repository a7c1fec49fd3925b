import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { inputOf, listRoutes } from '#contract/define-endpoints.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import type { Json, JsonObject } from '#contract/openapi/json.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { call } from '../support/call.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { useServer } from '../support/use-server.ts';
import { exampleOf, listBodies } from './field-values.ts';
import { schemaToArbitrary, resolve } from './schema-arbitrary.ts';

const document = buildDocument();
const ownerDocument = buildOwnerDocument();
const [validator, ownerValidator] = [document, ownerDocument].map(createSchemaCompiler) as [
  ReturnType<typeof createSchemaCompiler>,
  ReturnType<typeof createSchemaCompiler>,
];
const bodies = Object.entries(document.paths as Record<string, Record<string, JsonObject>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody === undefined ? [] : [{ method, path, reference: schemaReference(requestBody) }],
    ),
);

function jsonContent(requestBody: unknown): { schema: { $ref: string }; example: unknown } {
  const { content } = requestBody as { content: Record<string, ReturnType<typeof jsonContent>> };
  return content['application/json']!;
}

function schemaReference(requestBody: unknown): string {
  return jsonContent(requestBody).schema.$ref;
}

/**
 * Generates names that also meet the rules that apply after normalization: 3 to 63 characters, no
 * hyphen at either end.
 */
const displayName = fc.stringMatching(
  /^\s*[a-wyzA-WYZ0-9]['&!.]?[a-zA-Z0-9 -]{1,60}[a-zA-Z0-9][!?]?\s*$/,
  { size: '-1' },
);

function bodyArbitrary(path: string, reference: string): fc.Arbitrary<Json> {
  const body = schemaToArbitrary(resolve(reference, document), document);
  if (path !== '/account/update-display-name') return body;
  return fc
    .tuple(body, displayName)
    .map(([fields, name]) => ({ ...(fields as JsonObject), display_name: name }));
}

const { server, account } = useServer({
  account: true,
  chat: { deliver: async () => '1' },
});
beforeAll(async () => {
  await account.client.account.updateDisplayName({ display_name: 'Jane Doe' });
  await account.client.emailForwarding.emailForwardingToggle({
    enabled: false,
    email: 'jane@example.com',
  });
});

it.each(bodies)(
  '$method $path answers every body that matches the document',
  async ({ method, path, reference }) => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(bodyArbitrary(path, reference), async (body) => {
        expect(validator(reference)(body)).toBeUndefined();
        const { status, text } = await call(server.app, {
          method: method.toUpperCase(),
          path,
          key: account.key,
          json: body,
        });
        // The document leaves rules of texts to its words.
        expect(status, text).toBeOneOf([200, 400, 403, 409]);
        statuses.add(status);
        if (path === '/account/update-display-name' && status === 200)
          await account.client.emailForwarding.emailForwardingToggle({
            enabled: true,
            email: 'jane@example.com',
          });
      }),
      { numRuns: 60 },
    );
    expect(statuses).toContain(path === '/stats/ingest-metrics' ? 403 : 200);
  },
);

it.each(bodies)(
  '$method $path refuses every value of a field that the document refuses',
  async ({ method, path, reference }) => {
    const minimal = exampleOf({ $ref: reference }, document) as JsonObject;
    const differences: unknown[] = [];
    for (const [field, json] of listBodies({ $ref: reference }, document, minimal)) {
      const error = validator(reference)(json);
      if (error === undefined) continue;
      const request = { method: method.toUpperCase(), path, key: account.key, json };
      const { status } = await call(server.app, request);
      if (status < 400) differences.push({ field, json, error, status });
    }
    expect(differences).toEqual([]);
  },
);

const ownerBodies = listRoutes(ownerContract).flatMap((route) => {
  const { post } = (ownerDocument.paths as Record<string, Record<string, JsonObject>>)[route.path]!;
  const schema = inputOf(route).body;
  if (schema === undefined || route.metadata.uploadTypes) return [];
  const reference = schemaReference(post!.requestBody);
  const { example } = jsonContent(post!.requestBody);
  return [{ id: post!.operationId as string, schema, reference, example: example as JsonObject }];
});

it.each(ownerBodies)(
  '$id refuses every value of a field that its document refuses',
  ({ schema, reference, example }) => {
    const differences: unknown[] = [];
    for (const [field, json] of listBodies({ $ref: reference }, ownerDocument, example)) {
      const error = ownerValidator(reference)(json);
      if (error !== undefined && schema.safeParse(json).success)
        differences.push({ field, json, error });
    }
    expect(differences).toEqual([]);
  },
);
