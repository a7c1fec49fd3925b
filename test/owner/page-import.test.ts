import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { errorText } from '../support/expected-responses.ts';
import { respondWithHtml, type PageServer, startPageServer } from '../support/page-server.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';

const IMPORT = 'POST /owner/page/import-page';
const UNKNOWN = errorText(
  400,
  'source must be the URL of a page at linktr.ee, bio.link, or omg.lol, or contain links.',
);
const importFailure = (reason: string) =>
  errorText(502, `The page could not be read: ${reason}. Paste its source instead.`);

let pageServer: PageServer;
let server: TestApp;
let account: TestAccount;

beforeAll(async () => {
  pageServer = await startPageServer({
    '/jane': respondWithHtml(
      '<h1>Jane &lt;script&gt;</h1><a href="https://example.com/shop"><img src=x onerror=alert(1)>My <b>shop</b></a><a href="javascript:alert(1)">x</a><a href="/terms">Terms</a>',
    ),
    '/moved': (_request, response) => response.writeHead(302, { location: '/jane' }).end(),
    '/huge': respondWithHtml(`<a href="https://example.com">x</a>${'x'.repeat(3 * 1_048_576)}`),
    '/endless': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    '/bomb': (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(16 * 1_048_576, ' ')));
    },
    '/picture': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/png' })
        .end('<a href="https://example.com">x</a>'),
    '/refused': (_request, response) => response.writeHead(403).end('<p>Are you a robot?</p>'),
    '/deep': respondWithHtml('<b><p>'.repeat(300_000)),
  });
  server = await startTestApp({ pageImport: pageServer.createFetcher() });
  account = await server.createAccount();
});
afterAll(async () => {
  await server.close();
  await pageServer.close();
});

function importPage(path: string) {
  return send(server, account, IMPORT, { source: `https://${pageServer.host}${path}` });
}

describe('importing a page', () => {
  it('returns a proposed site without storing it', async () => {
    const response = await send(server, account, IMPORT, { source: ` ${pageServer.host}/jane ` });
    const id = expect.stringMatching(/^[\da-f-]{36}$/) as string;
    const shop = { id, type: 'link', url: 'https://example.com/shop', title: 'My shop' };
    const blocks = [{ ...shop, enabled: true }];
    const left_out = [
      { reason: 'not_supported', title: 'x', url: 'javascript:alert(1)' },
      { reason: 'old_page', title: 'Terms', url: `https://${pageServer.host}/terms` },
    ];
    expect([response.status, response.body]).toEqual([200, { blocks, left_out }]);
    expect(pageServer.requests.at(-1)).toMatchObject({
      url: '/jane',
      headers: { accept: 'text/html', 'accept-encoding': 'identity' },
    });
    expect(pageServer.requests.at(-1)!.headers).not.toHaveProperty('x-api-key');
    expect(await account.client.site.getSiteConfiguration()).toMatchObject({
      site: { display_name: null },
      blocks: [],
    });
  });

  const UNSUPPORTED = `https://example.com/jane https://linktr.ee.example.com/jane
    https://evil-linktr.ee/jane https://jane@linktr.ee/jane https://linktr.ee:8443/jane
    ftp://linktr.ee/jane file:///etc/passwd javascript:alert(1) http://127.0.0.1:3000/@jane
    https://localhost/jane https://[::1]/ /etc/passwd`.split(/\s+/);
  it.each(UNSUPPORTED)(
    'from %j, not a supported service, is refused without a request',
    async (url) => {
      const { length } = pageServer.requests;
      expect(await send(server, account, IMPORT, { source: url })).toMatchObject(UNKNOWN);
      expect(pageServer.requests).toHaveLength(length);
    },
  );

  it.each([
    ['/moved', 'it redirects to another address'],
    ['/huge', 'it is too large'],
    ['/bomb', 'it is not a web page'],
    ['/picture', 'it is not a web page'],
    ['/deep', 'reading it takes too long'],
  ])('from %s is refused: %s', async (path, reason) => {
    expect(await importPage(path)).toMatchObject(importFailure(reason));
  });

  it('reports if the service refuses the request or does not have the page', async () => {
    const reason = `${pageServer.host} responded with 403`;
    expect(await importPage('/refused')).toMatchObject(importFailure(reason));
    const missing = await importPage('/nobody');
    expect(missing).toMatchObject(errorText(404, `There is no page at ${pageServer.host}/nobody.`));
  });

  it('reports if the service cannot be reached', async () => {
    const stopped = await startPageServer({});
    await stopped.close();
    const source = stopped.createFetcher();
    await expect(source.fetch(source.parseUrl(`${stopped.host}/jane`)!)).rejects.toMatchObject({
      status: 502,
      code: 'importFailed',
    });
    await source.close();
  });

  it('times out', async () => {
    const source = pageServer.createFetcher({ timeoutMs: 300 });
    const url = source.parseUrl(`${pageServer.host}/endless`)!;
    await expect(source.fetch(url)).rejects.toThrow('it did not respond in time');
    await source.close();
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1'])(
    "is refused if the service's host name resolves to %s",
    async (address) => {
      const pageSource = pageServer.createFetcher({
        lookup: ((
          _name: string,
          _options: object,
          callback: (error: null, found: object[]) => void,
        ) => callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])) as never,
      });
      await expect(pageSource.fetch(pageSource.parseUrl('jane.omg.lol')!)).rejects.toMatchObject({
        code: 'importFailed',
        cause: { code: 'ADDRESS_NOT_PUBLIC' },
      });
      await pageSource.close();
    },
  );

  it('is limited to 30 times an hour per account', async () => {
    const otherAccount = await server.createAccount();
    const url = `https://${pageServer.host}/nobody`;
    for (let count = 0; count < 30; count += 1)
      expect((await send(server, otherAccount, IMPORT, { source: url })).status).toBe(404);
    const { length } = pageServer.requests;
    const response = await send(server, otherAccount, IMPORT, { source: url });
    expect(response).toMatchObject(
      errorText(429, expect.stringMatching(/^Too many imports\. Try again in \d+ minutes\.$/)),
    );
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(pageServer.requests).toHaveLength(length);
    expect((await send(server, account, IMPORT, { source: url })).status).toBe(404);
  });
});

it('the HTML of a page can be imported without a request', async () => {
  const { length } = pageServer.requests;
  const response = await send(server, account, IMPORT, {
    source: `<h1>Jane</h1><img src="https://${pageServer.host}/jane.png"><a href="https://${pageServer.host}/jane">Me</a>`,
  });
  expect(response.body).toMatchObject({
    blocks: [{ type: 'link', title: 'Me' }],
  });
  expect(pageServer.requests).toHaveLength(length);
});

it.each([
  ['takes too much memory', '<b><p>'.repeat(166_000)],
  ['is nested too deeply', '<div>'.repeat(1_000)],
])('the HTML of a page that %s is refused, and its process is ended', async (_what, source) => {
  const countProcesses = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  const before = countProcesses();
  expect(await send(server, account, IMPORT, { source })).toMatchObject(
    errorText(400, 'source is too complex: reading it takes too much time or memory.'),
  );
  // The process is ended with the answer, and gone a little later.
  await eventually(countProcesses, (count) => count <= before);
});
