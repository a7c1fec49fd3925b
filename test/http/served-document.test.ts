import { requestFieldsOf, type Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { AREA_FILES } from '#server/entry/api/docs/references.ts';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import type { JsonObject } from '#contract/openapi/json.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { useServer } from '../support/use-server.ts';

const publishedDocument = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const LOCAL = 'http://127.0.0.1:3000';

const { server } = useServer();
const { server: withPublicUrl } = useServer({ PUBLIC_URL: 'https://api.example.com' });

/** A document with the URL and description of its server replaced. */
function documentWithServer(serverUrl: string, text = publishedDocument): unknown {
  const { servers, ...document } = JSON.parse(text.replaceAll(LOCAL, serverUrl)) as {
    servers: object[];
  };
  return { ...document, servers: [{ ...servers[0], description: 'This server' }] };
}

it.each([
  ['PUBLIC_URL', withPublicUrl, 'https://api.example.com'],
  ['the address it listens on', server, 'http://localhost'],
])(
  'a server with %s has it in the OpenAPI document, whatever the Host header',
  async (_what, { app }, url) => {
    const headers = { host: 'a$&b.example.org', 'x-forwarded-proto': 'https' };
    const { payload } = await app.inject({ url: '/openapi.json', headers });
    expect(JSON.parse(payload)).toEqual(documentWithServer(url));
    expect(payload).not.toContain(LOCAL);
  },
);

it('the OpenAPI document of the owner contract contains PUBLIC_URL, too', async () => {
  const ownerDocument = JSON.stringify(await buildOwnerDocument());
  const response = await withPublicUrl.app.inject({ url: '/owner/openapi.json' });
  expect(response.json()).toEqual(documentWithServer('https://api.example.com', ownerDocument));
});

it.each(['/openapi.json', '/owner/openapi.json'])('%s is compressed', async (url) => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const compressed = await server.app.inject({ url, headers });
  const text = brotliDecompressSync(compressed.rawPayload).toString();
  expect(text).toBe((await server.app.inject({ url })).payload);
  expect(compressed.rawPayload.length).toBeLessThan(text.length / 8);
});

it('/llms.txt has one line for each endpoint of both documents', async () => {
  const { headers, payload } = await withPublicUrl.app.inject({ url: '/llms.txt' });
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const listLines = ({ paths }: JsonObject, reference: string) =>
    Object.entries(paths as unknown as OpenApiDocument['paths']).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([
          method,
          {
            tags: [area],
            summary,
            'x-scope': scope,
          },
        ]) => {
          const access = scope ? `scope ${scope}` : 'no key';
          return `- [${method.toUpperCase()} ${path}](https://api.example.com${reference}${area}.md): ${summary} (${access})`;
        },
      ),
    );
  const publicLines = listLines(await buildDocument(), '/docs/');
  expect(publicLines).toHaveLength(11);
  expect(publicLines.join('\n')).toMatch(/get-projects.*scope read\)\n.*ingest.*scope metrics\)/);
  expect(payload.match(/^- \[[A-Z]+ \/.*$/gm)).toEqual([
    ...publicLines,
    ...listLines(await buildOwnerDocument(), '/docs/owner/'),
  ]);
});

it.each(AREA_FILES)(
  '$path has every operation of the area with its fields and codes',
  async (file) => {
    const { headers, payload } = await withPublicUrl.app.inject({ url: file.path });
    expect(headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const areas: Contract = file.path.startsWith('/docs/owner/') ? ownerContract : contract;
    for (const route of Object.values(areas[file.area]!)) {
      const start = payload.indexOf(`\n\`${route.method} ${route.path}\` (`);
      const section = payload.slice(start).split('\n## ')[0]!;
      expect([route.path, start > 0]).toEqual([route.path, true]);
      for (const name of Object.keys(requestFieldsOf(route)))
        expect([route.path, section.toLowerCase()]).toEqual([
          route.path,
          expect.stringContaining(`- \`${name.toLowerCase()}\` (`),
        ]);
      expect(section).toMatch(/^- 500: .*internalError/m);
      expect(section).toContain(`https://api.example.com${route.path}`);
    }
    expect(payload).not.toMatch(/undefined|\[object/);
  },
);
