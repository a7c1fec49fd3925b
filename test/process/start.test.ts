import { expect, it } from 'vitest';
import { METRICS_URL_PATTERN } from '../support/prometheus.ts';
import { startServer } from '../support/server-process.ts';
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

it('startup loads nothing that only some requests need', async () => {
  const url = await createPostgresDatabase('nameplate_template');
  const preloadUrl = `data:text/javascript,${encodeURIComponent(LIST_MODULES)}`;
  const server = await startServer({ DATABASE_URL: url, NODE_OPTIONS: `--import=${preloadUrl}` });
  server.signal('SIGINT');
  await server.exited;
  const [, loadedList = ''] = await server.waitFor(/^loaded: (.*)$/m);
  const packages = loadedList.split(' ');
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg', 'zod']));
  const lazyPackages = new Set([
    ...['fetch', 'undici', 'nodemailer', 'pino-pretty', '@fastify/ajv-compiler'],
    ...['ajv', 'markdown-it', 'culori', 'uqr', 'prom-client'],
    ...['@takumi-rs/wasm', 'commander', 'esbuild', '@simplewebauthn/server', 'yazl'],
    ...['@modelcontextprotocol/server', 'csv-parse', 'openid-client', 'sharp', 'yauzl', 'parse5'],
  ]);
  expect(server.stderr()).not.toMatch(METRICS_URL_PATTERN);
  expect(packages.filter((name) => lazyPackages.has(name))).toEqual([]);
});
