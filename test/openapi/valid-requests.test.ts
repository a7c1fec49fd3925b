import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { buildDocument } from '../../contract/openapi/document.ts';
import type { Json, JsonObject } from '../../contract/openapi/json.ts';
import { call } from '../support/call.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { useServer } from '../support/use-server.ts';
import { schemaToArbitrary, resolve } from './schema-arbitrary.ts';

const document = await buildDocument();
const validator = createSchemaCompiler(document);
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
