import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inputOf, type Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { buildDocument, buildOwnerDocument } from '#contract/openapi/document.ts';
import type { JsonObject } from '#contract/openapi/json.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { isServerEvent } from '#contract/shared/event-types.ts';
import { WEBHOOK_EVENTS } from '#contract/webhook-events.ts';
import { AREA_FILES } from '#server/entry/api/docs/references.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { DOCUMENTED_ERRORS } from '../support/response-expectations.ts';
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
  'a server with %s has it in the document, whatever the Host header',
  async (_what, { app }, url) => {
    const headers = { host: 'a$&b.example.org', 'x-forwarded-proto': 'https' };
    const { payload } = await app.inject({ url: '/openapi.json', headers });
    expect(JSON.parse(payload)).toEqual(documentWithServer(url));
    expect(payload).not.toContain(LOCAL);
  },
);

it('the OpenAPI document of the owner contract contains PUBLIC_URL, too', async () => {
  const ownerDocument = JSON.stringify(buildOwnerDocument());
  const response = await withPublicUrl.app.inject({ url: '/owner/openapi.json' });
  expect(response.json()).toEqual(documentWithServer('https://api.example.com', ownerDocument));
});

it.each(['/openapi.json', '/owner/openapi.json'])('%s is compressed', async (url) => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const compressed = await server.app.inject({ url, headers });
  const text = brotliDecompressSync(compressed.rawPayload).toString();
  expect(text).toBe((await server.app.inject({ url })).payload);
  expect(compressed.rawPayload.length).toBeLessThan(text.length / 7);
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
  const publicLines = listLines(buildDocument(), '/docs/');
  expect(publicLines).toHaveLength(11);
  expect(publicLines.join('\n')).toMatch(/get-projects.*scope read\)\n.*ingest.*scope metrics\)/);
  const ownerLines = listLines(buildOwnerDocument(), '/docs/owner/');
  const areForOperators = (wanted: boolean) => (line: string) =>
    line.endsWith('(scope operator)') === wanted;
  expect(payload.match(/^- \[[A-Z]+ \/.*$|^## (?:API|Optional).*$/gm)).toEqual([
    ...['## API', ...publicLines],
    ...['## API for owners', ...ownerLines.filter(areForOperators(false))],
    ...['## Optional', ...ownerLines.filter(areForOperators(true))],
  ]);
});

it('/llms.txt says how tools and programs call the server, with documents that it serves', async () => {
  const { payload } = await withPublicUrl.app.inject({ url: '/llms.txt' });
  for (const text of ['`@nameplate/client`', '`npx nameplate --help`', '/mcp?tools=keys,projects'])
    expect(payload).toContain(text);
  const [head = ''] = payload.split('\n## ');
  const paths = head.match(/(?<=example\.com)\/docs\/[\w/]+\.(?:md|py|go)/g);
  expect(paths?.join()).toMatch(/stats\.md.*owner\/metrics\.md.*metrics\.py.*webhook\.go/);
  for (const url of paths!)
    expect([url, (await withPublicUrl.app.inject({ url })).statusCode]).toEqual([url, 200]);
});

it('/llms.txt has the form of llmstxt.org, and all of its links and theirs lead to a document', async () => {
  const { payload } = await withPublicUrl.app.inject({ url: '/llms.txt' });
  const [head, ...sections] = payload.split(/^## .+$/m);
  expect(head).toMatch(/^# .+\n\n> .+\n\n[^#]+$/);
  const urls = new Set(['https://api.example.com/llms.txt']);
  const entries = sections.flatMap((section) => section.trim().split('\n'));
  for (const entry of entries) expect(entry).toMatch(/^- \[[^\]]+\]\([^)]+\): \S/);
  // A set also visits the links that reading adds.
  for (const url of urls) {
    const { statusCode, body } = await withPublicUrl.app.inject({ url });
    expect([url, statusCode]).toEqual([url, 200]);
    if (!/\.(?:txt|md)$/.test(url)) continue;
    const links = body.replaceAll(/```[^]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)]+)\)/g);
    for (const [, link] of links) {
      const target = URL.parse(link!, url);
      if (target?.host === 'api.example.com') urls.add(target.origin + target.pathname);
    }
  }
  expect([...urls].join('\n')).toMatch(/errors\.md[^]*webhook\.py/);
});

it('the pages of the reference name their text for programs', async () => {
  for (const [url, text] of [
    ['/docs/', '/llms.txt'],
    ['/docs/errors', '/docs/errors.md'],
  ] as const) {
    const { payload } = await server.app.inject({ url });
    const [, href] = /<link rel="alternate" type="text\/\w+" href="([^"]+)"/.exec(payload) ?? [];
    expect(href).toBe(text);
  }
});

it('/docs/errors.md has every code with its status, and whether a retry can help', async () => {
  const { payload } = await server.app.inject({ url: '/docs/errors.md' });
  const sections = payload.split('\n## ').slice(1);
  const found = sections.flatMap((section) =>
    [...section.matchAll(/^- (\d+), (?:no )?retry\. \S/gm)].map(
      ([, status]) => `${status} ${section.split('\n')[0]}`,
    ),
  );
  expect(new Set(found)).toEqual(DOCUMENTED_ERRORS);
  const lineOf = (code: string) => sections.find((text) => text.startsWith(`${code}\n`));
  expect(lineOf('rateLimited')).toContain('\n- 429, retry. The account exceeded');
  expect(lineOf('queryTooExpensive')).toContain('\n- 503, no retry.');
  expect(lineOf('displayNameTaken')).toContain('\n- 409, no retry. Another account has this name.');
});

it('/docs/webhooks.md has every event with the fields and an example of its data', async () => {
  const { payload } = await withPublicUrl.app.inject({ url: '/docs/webhooks.md' });
  expect(payload).toContain('https://api.example.com/owner/connections/create-connection');
  for (const [type, schema] of Object.entries(WEBHOOK_EVENTS)) {
    const section = payload.split(`\n### ${type}\n`)[1]!.split('\n### ')[0]!;
    const [, example] = /```json\n(.*)\n```/.exec(section)!;
    const { data } = schema.parse(JSON.parse(example!)) as { data: object };
    for (const name of Object.keys(data)) expect(section).toContain(`- \`${name}\` (`);
    expect([type, section.includes('Only operators get it.')]).toEqual([type, isServerEvent(type)]);
  }
});

it.each([
  ['/docs/webhooks.md', /^- `top_link` \(object or null, required\)/m],
  [
    '/docs/owner/connections.md',
    /^- `event_types` \(array of string, one of .*"alert_firing" .*required\)/m,
  ],
])('%s has the null of objects and the values of array items', async (url, field) => {
  expect((await server.app.inject({ url })).payload).toMatch(field);
});

it.each(['/docs/site.md', '/docs/'])(
  '%s shows the fields that all blocks have in each block',
  async (url) => {
    const { payload } = await server.app.inject({ url });
    const text = payload.replaceAll(/<[^>]+>|`|\]\(\S+\)|\[/g, '');
    expect(text).toMatch(/A live number from a project[^#]*?\benabled\b[^#]*?\bproject\b/);
    expect(text).not.toMatch(/and:\s*(?:#|All|$)/);
  },
);

it('/docs/ links guides, also where a text names one', async () => {
  const { payload } = await server.app.inject({ url: '/docs/' });
  expect(payload).toContain('<a href="/docs/site-blocks.md">Blocks of a site</a>');
  expect(payload).toContain('<a href="/docs/webhooks.md"><code>');
});

it('the Markdown of an area describes objects and headers once', async () => {
  const { payload } = await server.app.inject({ url: '/docs/owner/alerts.md' });
  for (const text of ['- `evaluated_at` (', 'A unique value of your choice'])
    expect(payload.split(text)).toHaveLength(2);
});

it.each(AREA_FILES)(
  '$path has every operation of its area, with fields and codes',
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
      for (const name of Object.keys(inputOf(route).fields))
        expect([route.path, section.toLowerCase()]).toEqual([
          route.path,
          expect.stringContaining(`- \`${name.toLowerCase()}\` (`),
        ]);
      expect(section).toContain(`https://api.example.com${route.path}`);
    }
    expect(payload).not.toMatch(/undefined|\[object/);
    const [, objects = ''] = payload.split('\n## Objects\n');
    const names = [...objects.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!.toLowerCase());
    const links = [...payload.matchAll(/\]\(#(\w+)\)/g)].map(([, name]) => name!);
    expect([...new Set(links)].toSorted()).toEqual(names.toSorted());
    for (const code of ['internalError', 'apiKeyMissing', 'bodyTooLarge'])
      expect(payload.split(code)).toHaveLength(2);
  },
);

it('the field for the key takes only a text that can be a key', async () => {
  const { payload } = await server.app.inject({ url: '/docs/' });
  const [, pattern] = /id="key"[^>]+pattern="([^"]+)"/.exec(payload)!;
  const takes = (text: string) => new RegExp(`^(?:${pattern})$`, 'v').test(text);
  expect(['np_a1.b_2', 'np_a1b_2', 'np_a1-b_2', 'np_a1.'].filter(takes)).toEqual(['np_a1.b_2']);
});
