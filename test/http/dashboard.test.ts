import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { contrastOf } from '#page/design/colors.ts';
import { bundleDashboard, lazySheetLayer } from '#server/entry/dashboard/bundle.ts';
import { registerDocumentRoutes } from '#server/entry/dashboard/document-routes.ts';
import { createServer } from '#server/platform/http/server.ts';
import { logIn } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const KB = 1_024;

let document: string;
const { server } = useServer();
beforeAll(async () => {
  document = (await server.app.inject({ url: '/dashboard/' })).payload;
});

/** Paths of the files that the document references. */
function assetUrls(): [script: string, style: string] {
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(document) ?? [];
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(document) ?? [];
  return [script, style];
}

it.each(['/dashboard/', '/', '/docs/', '/docs/owner/', '/docs/errors'])(
  'the document %s has one main part, paragraphs of text, and no heading below the next level',
  async (url) => {
    const { cookie } = await logIn(server, (await server.createAccount()).id);
    const { payload } = await server.app.inject({ url, headers: { cookie } });
    expect(payload.match(/<main\b/g)).toHaveLength(1);
    expect(payload).not.toMatch(/<p\b(?:(?!<\/p>)[^])*<(?:details|div|p|ul)\b/);
    const levels = Array.from(payload.matchAll(/<h(\d)/g), ([, level]) => Number(level));
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1)).toEqual([]);
  },
);

it.each(['/dashboard/', '/dashboard/page', '/dashboard/metrics/1/2?since=x', '/dashboard/login'])(
  'the dashboard serves the same document for every path: %s',
  async (url) => {
    const { statusCode, headers, payload } = await server.app.inject({ url });
    expect([statusCode, payload]).toEqual([200, document]);
    expect(payload).toMatch(/<noscript>.*The dashboard needs JavaScript\./);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
  },
);

it('the dashboard redirects /dashboard to /dashboard/', async () => {
  const response = await server.app.inject({ url: '/dashboard' });
  expect([response.statusCode, response.headers.location]).toEqual([308, '/dashboard/']);
});

it('the dashboard contains the id of the logged-in account, and no id for an unknown session', async () => {
  const { id } = await server.createAccount();
  const { cookie } = await logIn(server, id);
  const openDashboard = (headers: Record<string, string>) =>
    server.app.inject({ url: '/dashboard/', headers });
  expect((await openDashboard({ cookie: cookie! })).payload).toContain(
    `data-facts="{&quot;accountId&quot;:&quot;${id}&quot;,`,
  );
  for (const wrongCookie of [
    'nameplate=x',
    `nameplate=${'x'.repeat(43)}`,
    'nameplate=%',
    'other=1',
  ])
    expect((await openDashboard({ cookie: wrongCookie })).payload).toBe(document);
});

it("the dashboard's files are cached forever, because their names contain a hash", async () => {
  for (const url of assetUrls()) {
    const { statusCode, headers, payload } = await server.app.inject({ url });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': url.endsWith('.css')
        ? 'text/css; charset=utf-8'
        : 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    });
    expect(headers).not.toHaveProperty('x-robots-tag');
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await server.app.inject({ url, headers: { 'accept-encoding': encoding } });
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(decode(response.rawPayload).toString()).toBe(payload);
    }
  }
});

it("the dashboard's files return 404 if they do not exist", async () => {
  for (const name of ['x.js', 'en/dashboard.js', 'en/..%2Fmain.tsx', 'en/__proto__', 'fr/x.js']) {
    const { statusCode, headers, payload } = await server.app.inject({
      url: `/dashboard/assets/${name}`,
    });
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store, no-transform']);
    expect(payload).toContain('<h1>There is no such file.</h1>');
  }
});

it("the dashboard's files include a font that is preloaded", async () => {
  const [, font = ''] = /<link rel="preload" href="([^"]+)" as="font"/.exec(document) ?? [];
  const { statusCode, headers } = await server.app.inject({ url: font });
  expect([statusCode, headers['content-type']]).toEqual([200, 'font/woff2']);
  const { payload } = await server.app.inject({ url: assetUrls()[1] });
  expect(payload).toContain(font.split('/').at(-1)!);
});

it("the dashboard's files are preloaded if the entry script imports them", async () => {
  const { entry, assets: all } = await bundleDashboard('en');
  const text = (name: string) => all.get(name)!.identity.body.toString();
  const findImports = (name: string): string[] =>
    [...text(name).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, imported]) => imported!);
  const imports = new Set(findImports(entry.script));
  for (const name of imports) for (const imported of findImports(name)) imports.add(imported);
  const preloaded = [
    ...document.matchAll(/<link rel="modulepreload" href="\/dashboard\/assets\/en\/([^"]+)">/g),
  ];
  expect(preloaded.map(([, name]) => name).toSorted()).toEqual([...imports].toSorted());
  expect(imports.size).toBeGreaterThan(0);
});

it.each([
  ['', 'overview'],
  ['metrics/1', 'metrics'],
  ['settings', 'account'],
])(
  "the dashboard's files of the requested screen are also preloaded for a logged-in account: %s",
  async (path, file) => {
    const { id } = await server.createAccount();
    const { cookie } = await logIn(server, id);
    const { payload } = await server.app.inject({
      url: `/dashboard/${path}`,
      headers: { cookie },
    });
    expect(payload).toMatch(
      new RegExp(`<link rel="modulepreload" href="/dashboard/assets/en/${file}-`),
    );
    expect(document).not.toContain(`/dashboard/assets/en/${file}-`);
  },
);

it("the dashboard's files include icons of services: black ones are light in the dark, others keep their color", async () => {
  const readFill = async (name: string) => {
    const { payload } = await server.app.inject({ url: `/dashboard/icons/${name}.svg` });
    return /light-dark\((#\w+),(#\w+)\)/.exec(payload)!.slice(1);
  };
  const [light, dark] = await readFill('github');
  expect(light).toBe('#181717');
  expect(contrastOf(dark!, '#262724')).toBeGreaterThan(9);
  expect(await readFill('etsy')).toEqual(['#f16521', '#f16521']);
});

it("the dashboard's files apply style sheets by their folder in the dashboard, wherever the project is", () => {
  const folder = '/home/jane/components/nameplate/dashboard/';
  expect(
    ['style/a.css', 'components/a.css', 'sign-in/a.css', 'screens/page/a.css'].map((file) =>
      lazySheetLayer(folder + file, folder),
    ),
  ).toEqual([undefined, 'components', 'components', 'screens']);
});

it("the dashboard's files have the same names in every build of a version", async () => {
  const [script, style] = assetUrls();
  const { entry } = await bundleDashboard('en');
  expect([script, style]).toEqual([
    `/dashboard/assets/en/${entry.script}`,
    `/dashboard/assets/en/${entry.style}`,
  ]);
});

it("the dashboard's files stay below 65 KB in 13 scripts for the first screen (8 KB of CSS) and 224 KB of scripts, and contain no schemas", async () => {
  const { entry, assets: all, screens } = await bundleDashboard('en');
  const compressedSize = (names: Iterable<string>) =>
    [...new Set(names)].reduce((sum, name) => sum + all.get(name)!.br.body.length, 0);
  const style = compressedSize([entry.style]);
  expect(style).toBeLessThan(8 * KB);
  // The font loads later.
  const names = new Set([entry.script, ...entry.imports, ...screens.get('overview')!]);
  expect(names.size).toBeLessThanOrEqual(13);
  const scripts = compressedSize(names);
  expect(document.length + style + scripts).toBeLessThan(65 * KB);
  expect(compressedSize([...all.keys()].filter((name) => name.endsWith('.js')))).toBeLessThan(
    224 * KB,
  );
  const texts = [...all].map(([, { identity }]) => identity.body.toString()).join('\n');
  expect(texts).not.toMatch(/ZodType|looseObject/);
});

it('if bundling the dashboard fails, the response is a 500, the error is logged, the next request retries, and only files with a language need it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-dashboard-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entry = join(folder, 'main.tsx');
  await writeFile(entry, 'const = 1;');
  const { nameplate } = server;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const app = createServer({ ...nameplate, log, requestListeners: [] });
  onTestFinished(() => app.close());
  await app.register(async (scope) => registerDocumentRoutes(scope, nameplate, entry));
  for (const path of ['no-such-file.js', 'fr/no-such-file.js'])
    expect((await app.inject(`/dashboard/assets/${path}`)).statusCode).toBe(404);
  const response = await app.inject('/dashboard/');
  expect([response.statusCode, response.headers['cache-control']]).toEqual([500, 'no-store']);
  expect(response.json()).toEqual({
    error: 'The dashboard could not be built. The server log says why.',
  });
  expect(lines.join('')).toContain('main.tsx:1:6');
  await writeFile(entry, `import './style.css';`);
  await writeFile(join(folder, 'style.css'), '@font-face { src: url(./inter.woff2) }');
  await writeFile(join(folder, 'inter.woff2'), '');
  expect((await app.inject('/dashboard/')).statusCode).toBe(200);
});
