import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildOwnerDocument } from '../../contract/openapi/document.ts';
import type { TestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const publishedDocument = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const LOCAL = 'http://127.0.0.1:3000';

const { server } = useServer();
const { server: withPublicUrl } = useServer({ PUBLIC_URL: 'https://api.example.com' });

async function readDocument({ app }: TestApp, headers: Record<string, string>): Promise<string> {
  const response = await app.inject({ url: '/openapi.json', headers });
  expect(response.statusCode).toBe(200);
  return response.payload;
}

/** A document with the URL and description of its server replaced. */
function documentWithServer(serverUrl: string, text = publishedDocument): unknown {
  const { servers, ...document } = JSON.parse(text.replaceAll(LOCAL, serverUrl)) as {
    servers: object[];
  };
  return { ...document, servers: [{ ...servers[0], description: 'This server' }] };
}

it.each([
  [{ host: 'names.example.org' }, 'http://names.example.org'],
  [{ host: 'Names.example.org:8443' }, 'http://Names.example.org:8443'],
  [{ host: '[::1]:3000' }, 'http://[::1]:3000'],
  [{ host: 'names.example.org', 'x-forwarded-proto': 'https' }, 'https://names.example.org'],
  [{ host: 'names.example.org', 'x-forwarded-proto': 'javascript' }, 'http://names.example.org'],
])(
  'the OpenAPI document requested with %j has the server URL %s, also in its code samples',
  async (headers, serverUrl) => {
    const text = await readDocument(server, headers);
    expect(JSON.parse(text)).toEqual(documentWithServer(serverUrl));
    expect(text).not.toContain(LOCAL);
  },
);

it('the OpenAPI document contains PUBLIC_URL if it is set, whatever the Host header', async () => {
  const headers = { host: 'names.example.org', 'x-forwarded-proto': 'https' };
  expect(JSON.parse(await readDocument(withPublicUrl, headers))).toEqual(
    documentWithServer('https://api.example.com'),
  );
});

it.each(["a'b", 'a;id', '$(id)', 'a..b', '-a', 'a:123456', 'a$&b', 'a'.repeat(256)])(
  'the OpenAPI document does not repeat an invalid Host header: %s',
  async (host) => {
    expect(JSON.parse(await readDocument(server, { host }))).toEqual(documentWithServer(LOCAL));
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
