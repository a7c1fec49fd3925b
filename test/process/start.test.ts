import { expect, it } from 'vitest';
import { METRICS_URL_PATTERN } from '../support/prometheus.ts';
import { startServer } from '../support/server-process.ts';
import { TEST_ENCRYPTION_KEY } from '../support/test-app.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

/** Prints on exit which packages were loaded, and whether Node's `fetch` was. */
const LIST_MODULES = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name) loaded.add(name);
    return next(url, context);
  } });
  process.on('exit', () => {
    if (process.moduleLoadList.some((name) => name.endsWith('undici/undici'))) loaded.add('fetch');
    console.error('loaded: ' + [...loaded].join(' '));
  });`;

/** The packages that a server loads until it has started and answered the requests of `use`. */
async function listPackages(
  settings: Record<string, string>,
  use: (url: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const preloadUrl = `data:text/javascript,${encodeURIComponent(LIST_MODULES)}`;
  const NODE_OPTIONS = `--import=${preloadUrl}`;
  const server = await startServer({ DATABASE_URL, NODE_OPTIONS, ...settings });
  await use(server.url);
  server.signal('SIGINT');
  await server.exited;
  const [, loadedList = ''] = await server.waitFor(/^loaded: (.*)$/m);
  expect(server.stderr()).not.toMatch(METRICS_URL_PATTERN);
  return loadedList.split(' ');
}

it('startup loads nothing that only some requests need', async () => {
  const packages = await listPackages({});
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg', 'zod']));
  const lazyPackages = new Set([
    ...['fetch', 'undici', 'nodemailer', '@fastify/ajv-compiler'],
    ...['ajv', 'markdown-it', 'culori', 'uqr', 'prom-client'],
    ...['@takumi-rs/wasm', 'commander', 'esbuild', '@simplewebauthn/server', 'yazl'],
    ...['@modelcontextprotocol/server', 'csv-parse', 'openid-client', 'sharp', 'yauzl', 'parse5'],
  ]);
  expect(packages.filter((name) => lazyPackages.has(name))).toEqual([]);
});

it('the OpenID library is not loaded before somebody signs in', async () => {
  const settings = {
    PUBLIC_URL: 'http://localhost',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('hex'),
  };
  const packages = await listPackages(settings, async (url) => {
    const send = async (path: string, json?: object) => {
      const options = json && { method: 'POST', body: JSON.stringify(json) };
      return (await fetch(url + path, options)).status;
    };
    expect(await send('/.well-known/openid-configuration')).toBe(200);
    expect(await send('/.well-known/oauth-protected-resource/mcp')).toBe(200);
    expect(await send('/oauth/jwks')).toBe(200);
    expect(await send('/mcp', {})).toBe(401);
    expect(await send('/oauth/register', { redirect_uris: ['https://app.example/'] })).toBe(201);
    expect(await send('/oauth/authorize')).toBe(200);
  });
  expect(packages.filter((name) => ['oidc-provider', 'koa'].includes(name))).toEqual([]);
});
