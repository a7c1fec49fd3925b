import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { errorText } from '../support/expected-responses.ts';
import { useServer } from '../support/use-server.ts';

const IMPORT = 'POST /owner/page/import-page';
const { server } = useServer();

async function importSource(source: string) {
  return send(server, await server.createAccount(), IMPORT, { source });
}

it('an import returns a proposed site without storing it', async () => {
  const account = await server.createAccount();
  const source = `<h1>Jane &lt;script&gt;</h1>
    <a href="https://example.com/shop"><img src=x onerror=alert(1)>My <b>shop</b></a>
    <a href="javascript:alert(1)">x</a><a href="/terms">Terms</a>`;
  const response = await send(server, account, IMPORT, { source });
  const id = expect.stringMatching(/^[\da-f-]{36}$/) as string;
  const shop = { id, type: 'link', url: 'https://example.com/shop', title: 'My shop' };
  const blocks = [{ ...shop, enabled: true }];
  const left_out = [
    { reason: 'not_supported', title: 'x', url: 'javascript:alert(1)' },
    { reason: 'old_page', title: 'Terms', url: null },
  ];
  expect([response.status, response.body]).toEqual([200, { blocks, left_out }]);
  expect(await account.client.site.getSiteConfiguration()).toMatchObject({
    site: { display_name: null },
    blocks: [],
  });
});

it.each(['https://linktr.ee/jane', 'jane.omg.lol', 'file:///etc/passwd', 'javascript:alert(1)'])(
  'an import of the address %j is refused',
  async (source) => {
    expect(await importSource(` ${source} `)).toMatchObject(
      errorText(
        400,
        'source must be the source of a page or a list of links, not the URL of a page.',
      ),
    );
  },
);

it('imports are limited to 30 times an hour per account', async () => {
  const account = await server.createAccount();
  const source = 'Shop: https://example.com/shop';
  for (let count = 0; count < 30; count += 1)
    expect((await send(server, account, IMPORT, { source })).status).toBe(200);
  const response = await send(server, account, IMPORT, { source });
  expect(response).toMatchObject(
    errorText(429, expect.stringMatching(/^Too many imports\. Try again in \d+ minutes\.$/)),
  );
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(3_000);
  expect((await importSource(source)).status).toBe(200);
});

it.each([
  ['deeply nested elements', '<div>'.repeat(1_000)],
  ['deeply nested lists', `${'['.repeat(240_000)} ${']'.repeat(240_000)}`],
  [
    'tags that each add hundreds of elements',
    Array.from({ length: 40_000 }, (_, index) => `<b a=${index % 150}><p>`).join(''),
  ],
])('a source with %s is refused', async (_what, source) => {
  expect(await importSource(source)).toMatchObject(
    errorText(400, 'source is too complex: it is nested too deeply, or has too many elements.'),
  );
});
