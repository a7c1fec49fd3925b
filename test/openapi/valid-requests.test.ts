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

const document = await buildDocument();
const ownerDocument = await buildOwnerDocument();
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

function schemaReference(requestBody: unknown): string {
  const { content } = requestBody as { content: Record<string, { schema: { $ref: string } }> };
  return content['application/json']!.schema.$ref;
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
  '$method $path never returns 400 for a body that matches the document',
  async ({ method, path, reference }) => {
    await fc.assert(
      fc.asyncProperty(bodyArbitrary(path, reference), async (body) => {
        // A pattern cannot say that a query parameter occurs only once.
        fc.pre(!/[?&](\w+)=[^#]*&\1=/.test((body as { webhookUrl?: string }).webhookUrl ?? ''));
        expect(validator(reference)(body)).toBeUndefined();
        const { status, text } = await call(server.app, {
          method: method.toUpperCase(),
          path,
          key: account.key,
          json: body,
        });
        expect(status, text).toBeOneOf([200, 403, 409]);
        if (path === '/account/update-display-name' && status === 200)
          await account.client.emailForwarding.emailForwardingToggle({
            enabled: true,
            email: 'jane@example.com',
          });
      }),
      { numRuns: 60 },
    );
  },
);

/** Refusals of bodies that the document allows: rules that JSON Schema cannot express. */
const OTHER_RULES = new Set([
  'displayNameTooShort',
  'displayNameInvalid',
  'forwardingAddressMissing',
]);

it.each(bodies)(
  '$method $path returns 400 for exactly those values of a field that the document refuses',
  async ({ method, path, reference }) => {
    const minimal = exampleOf({ $ref: reference }, document) as JsonObject;
    const differences: unknown[] = [];
    for (const [field, json] of listBodies({ $ref: reference }, document, minimal)) {
      // One of 101 blocks must be the settings of the page.
      if (Array.isArray(json.blocks) && json.blocks.length === 101) continue;
      const request = { method: method.toUpperCase(), path, key: account.key, json };
      const { status, headers } = await call(server.app, request);
      const hasOtherRule = OTHER_RULES.has(headers['x-error-code'] ?? '');
      const error = validator(reference)(json);
      // A project id that is too long is 403.
      const isAsDocumented = error === undefined ? status !== 400 || hasOtherRule : status >= 400;
      if (!isAsDocumented) differences.push({ field, json, error, status });
    }
    expect(differences).toEqual([]);
  },
);

/** Fields with rules that JSON Schema cannot express, or only with long lists. */
const LOOSE_FIELDS =
  /^(?:queryMetrics filters|(?:queryMetrics|updateTimeZone) time_zone|(?:create|update)Alert (?:comparison|threshold|path)|(?:create|update)Address recipients|createMessage address|updatePageVisibility members)/;

const ownerBodies = listRoutes(ownerContract).flatMap((route) => {
  const { post } = (ownerDocument.paths as Record<string, Record<string, JsonObject>>)[route.path]!;
  const schema = inputOf(route).body;
  if (schema === undefined || route.metadata.uploadTypes) return [];
  const reference = schemaReference(post!.requestBody);
  const name = reference.split('/').at(-1)!;
  const { value } = resolve(`#/components/examples/${name}`, ownerDocument);
  return [{ id: post!.operationId as string, schema, reference, example: value as JsonObject }];
});

it.each(ownerBodies)(
  '$id refuses exactly those values of a field that its document refuses',
  ({ id, schema, reference, example }) => {
    const differences: unknown[] = [];
    for (const [field, json] of listBodies({ $ref: reference }, ownerDocument, example)) {
      if (LOOSE_FIELDS.test(`${id} ${field}`)) continue;
      if (Array.isArray(json.blocks) && json.blocks.length === 101) continue;
      const error = ownerValidator(reference)(json);
      const isAccepted = schema.safeParse(json).success;
      if (isAccepted !== (error === undefined)) differences.push({ field, json, error });
    }
    expect(differences).toEqual([]);
  },
);

it.each([
  ['public', document],
  ['owner', ownerDocument],
])('the patterns of the %s document are ASCII, so that they fit into headers', (_name, value) => {
  const patterns = JSON.stringify(value).match(/"pattern":"(?:[^"\\]|\\.)*"/g)!;
  expect(patterns.filter((pattern) => /[^ -~]/.test(pattern))).toEqual([]);
});
