import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlockUpdate } from '#client/index.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import {
  type CoverFetcherOptions,
  createCoverFetcher,
} from '#server/features/covers/cover-fetcher.ts';
import { coverJob } from '#server/features/covers/cover-job.ts';
import { sweepPictures } from '#server/features/pictures/sweep-pictures.ts';
import { send } from '../support/call.ts';
import { errorCode } from '../support/expected-responses.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { createImage } from '../support/pictures.ts';
import { runJobs } from '../support/run-jobs.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { unzip } from '../support/unzip.ts';

const FILM = 'https://youtu.be/aqz-KE-bpKQ';
const PAGES_URL = 'https://pages.example.org';
const HUM = 'https://soundcloud.com/jane/hum';
const OEMBED =
  '/www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ';
const THUMBNAIL = '/i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg';

/** What the services respond, by `/host/path`. */
const responses = new Map<string, RequestListener>();
const requests: string[] = [];
let services: Awaited<ReturnType<typeof startHttpsServer>>;
let fetcherOptions: CoverFetcherOptions;
let server: TestApp;
let account: TestAccount;
let jpeg: Buffer;

beforeAll(async () => {
  services = await startHttpsServer((request, response) => {
    requests.push(request.url!);
    const listener = responses.get(request.url!);
    if (listener) listener(request, response);
    else response.writeHead(404).end('<h1>Not found</h1>');
  });
  const { host, ca } = services;
  const replaceUrl = (url: URL) =>
    /^[\d.]+$/.test(url.hostname)
      ? url
      : new URL(`https://${host}/${url.hostname}${url.pathname}${url.search}`);
  fetcherOptions = { ca, pagesUrl: PAGES_URL, test: { host, replaceUrl } };
  server = await startTestApp({ covers: createCoverFetcher(fetcherOptions) });
  jpeg = await createImage({ width: 480, height: 360 }).jpeg().toBuffer();
});
afterAll(async () => {
  await server.close();
  await services.close();
});
beforeEach(async () => {
  account = await server.createAccount();
  requests.length = 0;
  responses.clear();
  responses.set(
    OEMBED,
    json({ title: 'Big\n Buck <Bunny>', thumbnail_url: `https:/${THUMBNAIL}` }),
  );
  responses.set(THUMBNAIL, file(jpeg));
});

function json(body: object): RequestListener {
  return file(JSON.stringify(body), 'application/json');
}

function file(body: Buffer | string, type = 'image/jpeg'): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
}

function redirect(location: string): RequestListener {
  return (_request, response) => response.writeHead(302, { location }).end();
}

function save(...blocks: BlockUpdate[]) {
  return account.client.site.updateSiteConfiguration({ blocks });
}

async function lookUp(options = {}) {
  await runJobs(server.database, coverJob, server.nameplate, options);
  return listCovers();
}

async function listCovers() {
  return (await account.owner.pictures.listCovers()).covers;
}

const previewPage = async () => (await account.owner.page.previewPage({})).html;

it('the cover of a film is stored once, after the save, and shown on the page', async () => {
  await save({ type: 'embed', url: FILM });
  expect(await listCovers()).toMatchObject([{ url: FILM, state: 'pending' }]);
  expect(requests).toEqual([]);
  const [cover] = await lookUp();
  expect(cover).toMatchObject({ state: 'found', title: 'Big Buck <Bunny>' });
  const { pathname } = new URL(cover!.picture_url!);
  const html = await previewPage();
  expect(html).toContain(`src="${pathname}"`);
  expect(html).toContain('Big Buck &lt;Bunny&gt;');
  await save({ type: 'embed', url: FILM, title: 'Mine' });
  await lookUp();
  expect(requests).toEqual([OEMBED, THUMBNAIL]);
  expect(await previewPage()).not.toContain('Bunny');
  const { pictures } = await account.owner.pictures.listPictures();
  expect(pictures).toMatchObject([{ url: cover!.picture_url, width: 480, height: 360 }]);
});

it('the cover of a film leaves the page when its picture is deleted', async () => {
  await save({ type: 'embed', url: FILM });
  const [cover] = await lookUp();
  await account.client.account.updateDisplayName({ display_name: 'film-fan' });
  await account.client.site.toggleSiteVisibility();
  const get = async () => (await server.app.inject({ url: '/@film-fan' })).body;
  const { pathname } = new URL(cover!.picture_url!);
  expect(await get()).toContain(pathname);
  await account.owner.pictures.deletePicture({ picture_id: pathname.split('/').at(-2)! });
  expect(await get()).not.toContain(pathname);
  expect(await listCovers()).toMatchObject([{ state: 'found', picture_url: null }]);
});

it('the cover of a film is the picture of a large link that has none', async () => {
  await save(
    { type: 'link', url: FILM, size: 'half' },
    { type: 'link', url: `${FILM}?t=5`, title: 'Small' },
  );
  await lookUp();
  expect((await previewPage()).match(/class="cover"/g)).toHaveLength(1);
});

it('the cover of a film is gone with its block and with a deleted picture', async () => {
  await save({ type: 'embed', url: FILM });
  const [cover] = await lookUp();
  const id = cover!.picture_url!.split('/').at(-2)!;
  await account.owner.pictures.deletePicture({ picture_id: id });
  expect(await listCovers()).toMatchObject([{ picture_url: null }]);
  await save();
  expect(await listCovers()).toEqual([]);
});

it('the cover of a film stays removed until it is refreshed', async () => {
  await save({ type: 'embed', url: FILM });
  await lookUp();
  await account.owner.pictures.updateCover({ url: FILM, removed: true });
  await save({ type: 'embed', url: FILM, title: 'Film' });
  const removed = { state: 'removed', title: null, picture_url: null };
  expect(await lookUp()).toMatchObject([removed]);
  expect(await previewPage()).not.toContain('class="art"');
  await account.owner.pictures.updateCover({ url: FILM });
  expect(await lookUp()).toMatchObject([{ state: 'found' }]);
});

it.each<[string, string, string]>([
  ['Vimeo', 'https://vimeo.com/76979871', '/vimeo.com/api/oembed.json?width=1280&url='],
  ['Spotify', 'https://open.spotify.com/album/1DFixLWuPkv3KT3', '/open.spotify.com/oembed?url='],
  ...[HUM, `${HUM}/`, `https://w.soundcloud.com/player/?url=${encodeURIComponent(HUM)}`].map(
    (url): [string, string, string] => [
      'SoundCloud',
      url,
      '/soundcloud.com/oembed?format=json&url=',
    ],
  ),
])('%s is asked by oEmbed about %s', async (name, url, endpoint) => {
  const path = endpoint + encodeURIComponent(name === 'SoundCloud' ? HUM : url);
  const respond = json({ title: 'Hum', thumbnail_url: `https:/${THUMBNAIL}` });
  responses.set(path, (request, response) => {
    // Vimeo, "Embedding videos with domain privacy".
    expect(request.headers.referer).toBe(name === 'Vimeo' ? PAGES_URL : undefined);
    respond(request, response);
  });
  await save({ type: 'embed', url });
  expect(await lookUp()).toMatchObject([{ state: 'found', title: 'Hum' }]);
});

const NO_PICTURE = { state: 'no_cover' };
const thumbnailAt = (thumbnail_url: unknown) => [OEMBED, json({ thumbnail_url })] as const;
it.each<[string, readonly [string, RequestListener], object]>([
  ['has no such film', [OEMBED, (_, to) => to.writeHead(404).end()], { state: 'not_found' }],
  ['has an error', [OEMBED, (_, to) => to.writeHead(503).end()], { state: 'unreachable' }],
  ['responds with HTML', [OEMBED, file('<p>?', 'text/html')], { state: 'unreachable' }],
  ['redirects in a circle', [OEMBED, redirect(`https:/${OEMBED}`)], { state: 'unreachable' }],
  ['redirects the picture', [THUMBNAIL, redirect('https://cdn.example/a')], { state: 'found' }],
  ['redirects to http', [OEMBED, redirect('http://cdn.example/a')], NO_PICTURE],
  ['names no picture', thumbnailAt(7), NO_PICTURE],
  ['names a file', thumbnailAt('file:///etc/passwd'), NO_PICTURE],
  ['names a port', thumbnailAt('https://cdn.example:8443/a'), NO_PICTURE],
  ['names a private address', thumbnailAt('https://10.0.0.1/a'), { state: 'unreachable' }],
  ['names this machine', thumbnailAt('https://127.0.0.1/a'), { state: 'unreachable' }],
  ['has an SVG', [THUMBNAIL, file('<svg/>', 'image/svg+xml')], NO_PICTURE],
  ['calls HTML a picture', [THUMBNAIL, file('<html>')], NO_PICTURE],
  ['has 50 MB', [THUMBNAIL, (_, to) => file(Buffer.alloc(50_000_000))(_, to)], NO_PICTURE],
])('a service that %s delays and breaks nothing', async (_name, [path, listener], result) => {
  responses.set(path, listener);
  responses.set('/cdn.example/a', file(jpeg));
  await save({ type: 'embed', url: FILM });
  expect(await lookUp()).toMatchObject([result]);
  expect(await previewPage()).toContain('<details');
});

it('a service that never responds delays nothing', async () => {
  responses.set(OEMBED, () => {});
  await save({ type: 'embed', url: FILM });
  const covers = createCoverFetcher({ ...fetcherOptions, timeoutMs: 100 });
  await runJobs(server.database, coverJob, { ...server.nameplate, covers });
  await covers.close();
  expect(await listCovers()).toMatchObject([{ state: 'unreachable' }]);
});

describe('a refreshed cover', () => {
  // Jobs of the other tests do not use this address.
  const url = 'https://vimeo.com/1';
  const path = `/vimeo.com/api/oembed.json?width=1280&url=${encodeURIComponent(url)}`;
  const refresh = async (options = {}) => {
    await account.owner.pictures.updateCover({ url });
    return lookUp(options);
  };
  beforeEach(async () => {
    responses.set(path, json({ title: 'Hum', thumbnail_url: `https:/${THUMBNAIL}` }));
    await save({ type: 'embed', url });
  });

  it('a refreshed cover keeps what it had if the service fails, which is asked once', async () => {
    const { picture_url, title } = (await lookUp())[0]!;
    responses.set(path, (_request, response) => response.writeHead(500).end());
    requests.length = 0;
    const failed = { state: 'unreachable', picture_url, title };
    expect(await refresh()).toMatchObject([failed]);
    await lookUp({ includeFuture: true });
    expect(requests).toEqual([path]);
  });

  it('a refreshed cover is not stored beyond the limit of pictures', async () => {
    await lookUp();
    await server.sql`UPDATE accounts SET picture_limit_mb = 1 WHERE id = ${account.id}`;
    await server.sql`UPDATE pictures SET bytes = 1100000 WHERE account_id = ${account.id}`;
    responses.set(THUMBNAIL, file(await createImage().png().toBuffer(), 'image/png'));
    expect(await refresh()).toMatchObject([{ state: 'picture_limit' }]);
    expect((await account.owner.pictures.listPictures()).pictures).toHaveLength(1);
  });
});

describe('a lookup stores nothing', () => {
  const remove = () => account.owner.pictures.updateCover({ url: FILM, removed: true });
  const deleteAccount = () => server.sql`DELETE FROM accounts WHERE id = ${account.id}`;
  const run = () => runJobs(server.database, coverJob, server.nameplate);
  const findCovers = () =>
    server.sql`SELECT url FROM covers WHERE account_id = ${account.id} AND picture_id IS NOT NULL`;

  describe.each<[string, () => Promise<unknown>]>([
    ['cover is removed', remove],
    ['block is deleted', () => save()],
    ['account is deleted', deleteAccount],
  ])('if the %s', (_name, change) => {
    beforeEach(() => save({ type: 'embed', url: FILM }));

    it('before', async () => {
      await change();
      await run();
      expect(requests).toEqual([]);
    });

    it('meanwhile', async () => {
      responses.set(THUMBNAIL, (request, response) => {
        void change().then(() => file(jpeg)(request, response));
      });
      await run().catch((error: unknown) => expect(error).toBeInstanceOf(AccountDeletedError));
      expect(requests).toEqual([OEMBED, THUMBNAIL]);
      expect(await findCovers()).toEqual([]);
    });
  });

  it('a lookup of a cover stores nothing if the server stops, so that another one asks', async () => {
    await save({ type: 'embed', url: FILM });
    const stopping = new AbortController();
    responses.set(OEMBED, () => stopping.abort());
    const job = { id: '', signal: stopping.signal };
    const lookup = coverJob.run(server.nameplate, { accountId: account.id, url: FILM }, job);
    await expect(lookup).rejects.toThrow('abort');
    expect(await listCovers()).toMatchObject([{ state: 'pending' }]);
  });
});

it('a cover is asked for once by two jobs', async () => {
  await save({ type: 'embed', url: FILM });
  await lookUp();
  await account.owner.pictures.updateCover({ url: FILM });
  await account.owner.pictures.updateCover({ url: FILM });
  requests.length = 0;
  const cover = { accountId: account.id, url: FILM };
  const job = { id: '', signal: new AbortController().signal };
  await coverJob.run(server.nameplate, cover, job);
  await coverJob.run(server.nameplate, cover, job);
  expect(requests).toEqual([OEMBED, THUMBNAIL]);
});

it('a cover keeps its picture from the sweep, until its block is deleted', async () => {
  await save({ type: 'embed', url: FILM });
  await lookUp();
  const sweep = async () => {
    const { id } = account;
    await server.sql`UPDATE pictures SET used_at = now() - interval '31 days' WHERE account_id = ${id}`;
    await sweepPictures(server.db);
    return (await account.owner.pictures.listPictures()).pictures.length;
  };
  expect(await sweep()).toBe(1);
  await save();
  expect(await sweep()).toBe(0);
});

it('a cover is exported', async () => {
  await save({ type: 'embed', url: FILM });
  const [cover] = await lookUp();
  const url = '/owner/account/export-account';
  const { rawPayload } = await server.app.inject({ url, headers: account.headers });
  const covers = (await unzip(rawPayload)).get('covers.json')!;
  const picture_id = cover!.picture_url!.split('/').at(-2);
  const title = 'Big Buck <Bunny>';
  expect(JSON.parse(covers)).toEqual([{ url: FILM, state: 'found', title, picture_id }]);
});

it('a cover is looked up at most 60 times an hour for an account', async () => {
  const films = Array.from({ length: 70 }, (_, index) => `${FILM}?t=${index + 1}`);
  await save(...films.map((url) => ({ type: 'embed' as const, url })));
  const states = (await listCovers()).map(({ state }) => state);
  expect(states.toSorted().join()).toBe(
    `${'pending,'.repeat(60)}${'rate_limited,'.repeat(10)}`.slice(0, -1),
  );
  const refresh = (url: string) =>
    send(server, account, 'POST /owner/pictures/update-cover', { url });
  const removed = { url: films[0]!, removed: true };
  await account.owner.pictures.updateCover(removed);
  expect(await refresh(films[0]!)).toMatchObject(errorCode(429, 'coverRateLimited'));
  expect((await listCovers())[0]).toMatchObject({ state: 'removed' });
  expect(await refresh('https://youtu.be/unknown')).toMatchObject(errorCode(404, 'coverNotFound'));
});

it('a cover is not looked up for other addresses', async () => {
  await save(
    { type: 'link', url: 'https://example.com/watch?v=aqz-KE-bpKQ' },
    { type: 'embed', url: 'https://mastodon.social/@jane/1' },
    { type: 'text', url: FILM, content: 'x' },
    { type: 'embed', url: `${FILM}?x=${'ü'.repeat(600)}` },
  );
  expect(await listCovers()).toEqual([]);
});
