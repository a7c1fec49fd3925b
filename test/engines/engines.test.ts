import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { hashToken } from '#server/platform/secrets/token.ts';
import { launchChromium } from '#test/browser/support/chromium.ts';
import { readBlockExamples } from '#test/pages/support/block-examples.ts';
import { DESIGNS, SITES, withDesign } from '#test/pages/support/designs.ts';
import { block, renderPage, renderSharePage } from '#test/pages/support/site.ts';
import { createCertificate } from '#test/support/https-server.ts';
import { listen } from '#test/support/listen.ts';
import { compareBoxes, type Measured } from './support/compare.ts';
import { type Engine, WINDOW_SIZE } from './support/engine.ts';
import { startFirefox } from './support/firefox.ts';
import { FRAMES_PAGE } from './support/frames.ts';
import { startSite } from './support/site.ts';
import { startWebKit } from './support/webkit.ts';

const START = { Chromium: startChromium, Firefox: startFirefox, WebKit: startWebKit };
const NAMES = ['Chromium', 'Firefox', 'WebKit'] as const;

const DESIGN_WIDTHS = [390, 768, 1_280, 1_680];
const SCREEN_WIDTHS = [390, 1_280];
const SCREENS = [
  ...['', 'page', 'visitors', 'mail', 'settings', 'domains'],
  ...['metrics', 'activity', 'keys', 'activity?kind=requests', 'connections'],
  ...['operator', 'operator/members', 'operator/addresses', 'operator/reports'],
  ...['operator/appearance', 'operator/legal', 'activity?kind=audit'],
];

/** Elements that may differ, and why. */
const EXPECTED_DIFFERENCES: Record<string, RegExp> = {
  // Each engine has a session of its own, which the list marks behind the engine's name.
  '/dashboard/settings': /li\.list-row:\d .* > span\.pill:0 is/,
  // Only Firefox draws monospaced letters at fractions of a pixel, 11 pixels in the longest names.
  '/docs/': /ul\.errors:\d .* > p:\d > a:0 is at 0,0,/,
  // Only Chromium has `::scroll-button()`; in the others, links step through the pictures.
  '/design/default': /div\.steps:\d+ > (?:a|label):\d+ is/,
  // The pictures of the designs are frames that load one after the other.
  '/dashboard/page': /div\.thumb:\d+ > iframe/,
};

let site: Awaited<ReturnType<typeof startSite>>;
const engines = {} as Record<keyof typeof START, Engine>;
beforeAll(async () => {
  const pages = Object.entries(DESIGNS).map(([name, design]) => {
    const { html } = renderPage(withDesign(createSite(), design));
    // The example server has the calendar and the QR code of Mira's page.
    return [
      `/design/${name}`,
      html.replaceAll('https://example.org/', '/').replaceAll('/@jane-doe', '/@mira'),
    ] as const;
  });
  const share = renderSharePage(createSite());
  site = await startSite(
    new Map([
      ['/frames', FRAMES_PAGE],
      ...pages,
      ['/design/share', share.html.replaceAll('https://example.org/', '/')],
    ]),
  );
  const starts = NAMES.map(async (name) => void (engines[name] = await START[name]()));
  // Those that started are closed, also if another one did not.
  for (const start of await Promise.allSettled(starts))
    if (start.status === 'rejected') throw start.reason;
  await onEach(({ goto }) => goto(`${site.origin}/frames`));
});
afterAll(async () => {
  await Promise.allSettled(Object.values(engines).map((engine) => engine.close()));
  await site?.close();
});

async function startChromium(): Promise<Engine> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: WINDOW_SIZE, ignoreHTTPSErrors: true });
  return {
    goto: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  };
}

/** A page with every kind of block. */
function createSite() {
  const { blocks = [], ...rest } = SITES['ordinary']!;
  const kinds = new Set(['page', ...blocks.map(({ type }) => type)]);
  const others = readBlockExamples()
    .flatMap((example) => example.blocks)
    .filter(({ type }) => !kinds.has(type))
    .map(({ type, ...fields }) => block(type, fields));
  return { ...rest, blocks: [...blocks, ...others] };
}

function onEach<T>(run: (engine: Engine) => Promise<T>): Promise<T[]> {
  return Promise.all(NAMES.map((name) => run(engines[name])));
}

/** Opens a page in frames, clicks buttons in each, and expects the boxes that Chromium has. */
async function expectSameBoxes(path: string, widths: number[], ...buttons: string[]) {
  const run = (call: string, ...args: unknown[]) =>
    onEach(({ evaluate }) => evaluate<unknown>(`${call}(...${JSON.stringify(args)})`));
  await run('openFrames', path, widths);
  for (const button of buttons) await run('clickInFrames', button);
  const findDifferences = async () => {
    const [expected, ...others] = (await run('measureFrames')) as Measured[][];
    return others.flatMap((pages, engine) =>
      pages.flatMap((page, index) =>
        compareBoxes(expected![index]!, page)
          .filter((difference) => !EXPECTED_DIFFERENCES[path]?.test(difference))
          .map((difference) => `${NAMES[engine + 1]}, ${widths[index]} pixels: ${difference}`),
      ),
    );
  };
  await expect.poll(findDifferences).toEqual([]);
  expect(await onEach(({ evaluate }) => evaluate('errors'))).toEqual(NAMES.map(() => []));
}

it('the sign-in screen has the same layout in all engines', () =>
  expectSameBoxes('/dashboard/login', SCREEN_WIDTHS));

it.each(NAMES)('%s signs in with a link, and saves what is typed in the editor', async (name) => {
  const { evaluate, type } = engines[name];
  const open = (path: string) => evaluate(`openFrames('${path}', [1280])`);
  const click = (text: string) => evaluate(`clickInFrames('${text}')`);
  const waitFor = async (expression: string) => {
    const code = `(({ document, location }) => ${expression})(views()[0])`;
    await expect.poll(() => evaluate(code)).toBe(true);
  };
  await open((await site.createLoginLink('mira')).replace(site.origin, ''));
  await click('Sign in');
  await waitFor(`location.pathname === '/dashboard/'`);
  await open('/dashboard/page');
  await click('Mira Okafor');
  const field = `[...document.querySelectorAll('label')]
    .find(({ textContent }) => textContent.startsWith('Location'))?.control`;
  await waitFor(`!!${field}`);
  await evaluate(`(({ document }) => ${field}.select())(views()[0])`);
  await type(`Typed in ${name}`);
  await click('Save');
  await waitFor(`document.querySelector('.save-state').textContent === 'Saved'`);
  const response = await fetch(`${site.origin}/@mira`);
  expect(await response.text()).toContain(`Typed in ${name}`);
  expect(await evaluate('errors')).toEqual([]);
});

it.each(Object.keys(DESIGNS))('pages in %s have the same layout in all engines', (design) =>
  expectSameBoxes(`/design/${design}`, DESIGN_WIDTHS),
);

it.each([
  ['front page', '/'],
  ['API reference', '/docs/'],
  ['share page', '/design/share'],
  ['opened gallery', '/design/default', 'A blue bowl'],
  ['QR code', '/dashboard/', 'QR code'],
  ['tab with the design of the page', '/dashboard/page', 'Design'],
  ['dialog with templates', '/dashboard/page', 'Templates'],
  ['dialog with blocks', '/dashboard/page', 'Add block'],
])('the %s has the same layout in all engines', (_name, path, ...buttons) =>
  expectSameBoxes(path, SCREEN_WIDTHS, ...buttons),
);

it.each(SCREENS)('the screen /dashboard/%s has the same layout in all engines', (path) =>
  expectSameBoxes(`/dashboard/${path}`, SCREEN_WIDTHS),
);

const authorizeUrl = (client_id: string, parameters: Record<string, string>) =>
  `${site.origin}/oauth/authorize?${new URLSearchParams({
    client_id,
    ...parameters,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }).toString()}`;

function drive({ goto, evaluate }: Engine) {
  // A page that is being left throws.
  const waitFor = async (expression: string) => {
    await expect.poll(() => evaluate(expression).catch(() => false)).toBe(true);
  };
  const click = async (text: string, selector = 'a, button') => {
    const find = `[...document.querySelectorAll('${selector}')].find(
      ({ textContent }) => textContent.trim() === '${text}')`;
    await waitFor(`!!${find}`);
    await evaluate(`void ${find}.click()`);
  };
  const signIn = async () => {
    await goto(await site.createLoginLink('mira'));
    await click('Sign in');
    await waitFor(`location.pathname === '/dashboard/'`);
  };
  return { click, waitFor, signIn };
}

const WEBSITES = NAMES.flatMap((name) => [[name, 'http'] as const, [name, 'https'] as const]);

it.each(WEBSITES)(
  '%s signs in to a website on another site with %s, or declines',
  async (...of) => {
    const [name, scheme] = of;
    const { goto } = engines[name];
    const { click, waitFor, signIn } = drive(engines[name]);
    // Browsers take `localhost` and 127.0.0.1 for two sites.
    const handle: RequestListener = (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        request.url === '/'
          ? `<a href="${startUrl.replaceAll('&', '&amp;')}">Log in</a>`
          : request.url,
      );
    };
    const website = await listen(
      scheme === 'http'
        ? createServer(handle)
        : createHttpsServer(await createCertificate('localhost'), handle),
    );
    onTestFinished(website.close);
    const otherOrigin = `${scheme}://localhost:${website.port}`;
    const client = { id: `${scheme}-${name}`, kind: 'website', name: 'Club wiki' } as const;
    const redirect_uris = [`${otherOrigin}/callback`];
    await site.addClient({ ...client, redirect_uris, secret_hash: hashToken('x') });
    const startUrl = authorizeUrl(client.id, { redirect_uri: redirect_uris[0]!, scope: 'openid' });
    await signIn();

    await goto(`${otherOrigin}/`);
    await click('Log in');
    await click('Cancel');
    await waitFor(
      `location.origin === '${otherOrigin}' && location.search.startsWith('?error=access_denied')`,
    );
    await goto(`${otherOrigin}/`);
    await click('Log in');
    await click('Continue', 'button');
    await waitFor(`location.origin === '${otherOrigin}' && location.search.startsWith('?code=')`);
    // The session cookie is `SameSite=Strict`, and the person was asked already.
    await goto(`${otherOrigin}/`);
    await click('Log in');
    await waitFor(`location.origin === '${otherOrigin}' && location.search.startsWith('?code=')`);
  },
);

it.each(NAMES)('%s opens an app after the consent', async (name) => {
  const { click, waitFor, signIn } = drive(engines[name]);
  const client = { id: `app-${name}`, kind: 'program', name: 'Cursor' } as const;
  const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
  await site.addClient({ ...client, redirect_uris: [redirect_uri] });
  await signIn();
  const resource = `${site.origin}/mcp`;
  const url = authorizeUrl(client.id, { redirect_uri, scope: 'read', resource });
  await engines[name].goto(url);
  await click('Allow', 'button');
  // Here is no such app. Only WebKit leaves the page to say so.
  const text = name === 'WebKit' ? 'The URL can’t be shown' : 'If the app does not open by itself';
  await waitFor(`document.body.innerText.includes('${text}')`);
});
