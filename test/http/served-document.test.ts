import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const published = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const LOCAL = 'http://127.0.0.1:3000';

let server: TestApp;
let proxied: TestApp;
beforeAll(async () => {
  server = await startTestApp();
  proxied = await startTestApp({ publicUrl: 'https://api.example.com/nameplate' });
});
afterAll(() => Promise.all([server.close(), proxied.close()]));

async function read({ app }: TestApp, headers: Record<string, string>): Promise<string> {
  const answer = await app.inject({ url: '/openapi.json', headers });
  expect(answer.statusCode).toBe(200);
  return answer.payload;
}

/** The published document with its server URL replaced. */
function at(base: string): unknown {
  const { servers, ...document } = JSON.parse(published.replaceAll(LOCAL, base)) as {
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
  'the document requested with %j contains %s in its server and samples',
  async (headers, base) => {
    const text = await read(server, headers);
    expect(JSON.parse(text)).toEqual(at(base));
    expect(text).not.toContain(LOCAL);
  },
);

it('the document contains the public URL if it is set, whatever the Host header', async () => {
  const headers = { host: 'names.example.org', 'x-forwarded-proto': 'https' };
  expect(JSON.parse(await read(proxied, headers))).toEqual(at('https://api.example.com/nameplate'));
});

it.each(["a'b", 'a;id', '$(id)', 'a..b', '-a', 'a:123456', 'a$&b', 'a'.repeat(256)])(
  'an invalid Host header is not repeated in the document: %s',
  async (host) => {
    expect(JSON.parse(await read(server, { host }))).toEqual(at(LOCAL));
  },
);

it('the document of the owner contract is served in the same way', async () => {
  const own = readFileSync(new URL('../../openapi-owner.json', import.meta.url), 'utf8');
  const answer = await proxied.app.inject({ url: '/owner/openapi.json' });
  const { servers, ...rest } = JSON.parse(
    own.replaceAll(LOCAL, 'https://api.example.com/nameplate'),
  ) as { servers: object[] };
  expect(answer.json()).toEqual({
    ...rest,
    servers: [{ ...servers[0], description: 'This server' }],
  });
});
