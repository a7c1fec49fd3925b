import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import type { Json, JsonObject } from '#contract/openapi/json.ts';
import { call } from '../support/call.ts';
import { createSchemaCompiler } from '../support/openapi-schema-compiler.ts';
import { useServer } from '../support/use-server.ts';
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
        fc.pre(
          !/[?&](\w+)=[^#]*&\1=/.test((body as { webhookUrl?: string } | null)?.webhookUrl ?? ''),
        );
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

const WORDS = {
  Arabic: 'مثال',
  Armenian: 'օրինակ',
  Chinese: '例子',
  Cyrillic: 'пример',
  Devanagari: 'उदाहरण',
  Georgian: 'მაგალითი',
  German: 'münchen-straße',
  Greek: 'παράδειγμα',
  Hebrew: 'דוגמה',
  Japanese: 'れい-カナ',
  Korean: '실례',
  Thai: 'ตัวอย่าง',
  emoji: '💩',
};

it.each([
  ...Object.entries(WORDS).map(([script, word]) => [
    script,
    `https://${word}.${word}.example:8443/${word}/?${word}=${word}#${word}`,
  ]),
  ['punycode', 'https://xn--mnchen-3ya.example/'],
  ['IPv4', 'http://127.0.0.1:3000/'],
  ...[' ', '\u00a0', '\u2028', '\u3000', '\x00', '\x7f', '\x85', '<', '%', '@', '\\', '^'].map(
    (character) => ['a forbidden character in the host', `https://a${character}b.example/`],
  ),
])('the document and the server agree about a URL with %s: %s', async (_kind, avatar_url) => {
  const { body } = await call(server.app, {
    path: '/owner/page/get-page-version',
    key: account.key,
  });
  const requests = [
    [
      ownerValidator,
      'UpdatePageRequest',
      '/owner/page/update-page',
      { version: (body as { version: number }).version },
    ],
    [validator, 'UpdateSiteConfigurationRequest', '/site/update-site-configuration', {}],
  ] as const;
  for (const [compile, schema, path, fields] of requests) {
    const json = { ...fields, avatar_url };
    const { status } = await call(server.app, { method: 'POST', path, key: account.key, json });
    const isValid = compile(`#/components/schemas/${schema}`)(json) === undefined;
    expect({ path, status }).toEqual({ path, status: isValid ? 200 : 400 });
  }
});

it.each([
  ['public', document],
  ['owner', ownerDocument],
])('the patterns of the %s document are ASCII, so that they fit into headers', (_name, value) => {
  const patterns = JSON.stringify(value).match(/"pattern":"(?:[^"\\]|\\.)*"/g)!;
  expect(patterns.filter((pattern) => /[^ -~]/.test(pattern))).toEqual([]);
});
