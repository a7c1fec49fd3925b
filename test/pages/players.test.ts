import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findEmbed } from '#page/blocks/embeds.ts';
import { renderSite } from '#page/render-site.ts';
import { httpsUrl } from '../support/text-arbitraries.ts';
import {
  EMPTY_SITE,
  RENDER_CONTEXT,
  attribute,
  block,
  renderPage,
  readText,
} from './support/site.ts';

const YOUTUBE = 'https://www.youtube-nocookie.com/embed';
const VIMEO = 'https://player.vimeo.com/video/76979871';
const SPOTIFY = 'https://open.spotify.com';
const SOUNDCLOUD = 'https://w.soundcloud.com/player/?url=';
const SOUNDS = `${SOUNDCLOUD}https%3A%2F%2Fsoundcloud.com%2Fjane%2F`;
const MUSIC = 'music.apple.com/pt';
const PODCAST = 'podcasts.apple.com/us/podcast/hum/id12?i=1';
const ALBUM = 'https://bandcamp.com/EmbeddedPlayer/album=1/size=large/bgcol=ffffff/';
const POST = 'https://mastodon.social/@jane/1093822';
const OSM = 'https://www.openstreetmap.org/export/embed.html?';
const AREA = `${OSM}bbox=-9.15545%2C38.70322%2C-9.12455%2C38.71678&layer=mapnik`;
const MAPS = 'https://www.google.com/maps';
const VIDEO = 'dQw4w9WgXcQ';
const TRACK = '11dFghVXANMlKmJXsNCbNl';

/** Allowed frame URLs. */
const PLAYERS = [
  /^https:\/\/www\.youtube-nocookie\.com\/embed\//,
  /^https:\/\/player\.vimeo\.com\/video\//,
  /^https:\/\/open\.spotify\.com\/embed\//,
  /^https:\/\/w\.soundcloud\.com\/player\/\?url=https%3A%2F%2F(?:api\.)?soundcloud\.com%2F/,
  /^https:\/\/embed\.(?:music|podcasts)\.apple\.com\//,
  /^https:\/\/bandcamp\.com\/EmbeddedPlayer\//,
  /^https:\/\/codepen\.io\/[\w-]+\/embed\//,
  /^https:\/\/[a-z.]+\/@[\w@.-]+\/\d+\/embed$/,
  /^https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?/,
  /^https:\/\/www\.google\.com\/maps(?:\/embed)?\?/,
];

it.each<[string, string | undefined]>([
  [`https://www.youtube.com/watch?v=${VIDEO}`, `${YOUTUBE}/${VIDEO}`],
  [
    `https://www.youtube.com/watch?list=PL123&v=${VIDEO}&t=1m30s&si=track`,
    `${YOUTUBE}/${VIDEO}?start=90&list=PL123`,
  ],
  [`https://m.youtube.com/watch?v=${VIDEO}&feature=share`, `${YOUTUBE}/${VIDEO}`],
  [`http://youtube.com/shorts/${VIDEO}?feature=share`, `${YOUTUBE}/${VIDEO}`],
  [`https://www.youtube.com/live/${VIDEO}`, `${YOUTUBE}/${VIDEO}`],
  [`https://youtu.be/${VIDEO}?t=43`, `${YOUTUBE}/${VIDEO}?start=43`],
  [`https://music.youtube.com/watch?v=${VIDEO}`, `${YOUTUBE}/${VIDEO}`],
  ['https://www.youtube.com/playlist?list=PL123', `${YOUTUBE}/videoseries?list=PL123`],
  [`${YOUTUBE}/${VIDEO}?start=5&end=9&autoplay=1`, `${YOUTUBE}/${VIDEO}?start=5&end=9`],
  ['https://vimeo.com/76979871', `${VIMEO}?dnt=1`],
  ['https://vimeo.com/76979871/8272103f6e#t=1m2s', `${VIMEO}?h=8272103f6e&dnt=1#t=62s`],
  ['https://vimeo.com/channels/staffpicks/76979871', `${VIMEO}?dnt=1`],
  [`${VIMEO}?h=8272103f6e`, `${VIMEO}?h=8272103f6e&dnt=1`],
  [`${SPOTIFY}/track/${TRACK}?si=1`, `${SPOTIFY}/embed/track/${TRACK}`],
  [`${SPOTIFY}/intl-pt/album/${TRACK}`, `${SPOTIFY}/embed/album/${TRACK}`],
  [`${SPOTIFY}/embed/episode/${TRACK}?t=60`, `${SPOTIFY}/embed/episode/${TRACK}?t=60`],
  ['https://soundcloud.com/jane/hum?in=x', `${SOUNDS}hum`],
  ['https://m.soundcloud.com/jane/sets/kiln', `${SOUNDS}sets%2Fkiln`],
  ['https://soundcloud.com/jane/hum/', `${SOUNDS}hum`],
  ['https://soundcloud.com/jane/hum/s-a1B2c3D4', `${SOUNDS}hum%2Fs-a1B2c3D4`],
  ['https://soundcloud.com/jane/sets/kiln/s-a1B2c3D4', `${SOUNDS}sets%2Fkiln%2Fs-a1B2c3D4`],
  // Short links and pages without a player are link cards.
  ...[
    ...['https://on.soundcloud.com/a1B2c', 'https://spotify.link/a1B2c'],
    ...['https://vimeo.com/showcase/123', 'https://vimeo.com/ondemand/kiln/123'],
    ...['https://vimeo.com/event/123', 'https://www.youtube.com/clip/UgkxA'],
  ].map((url): [string, undefined] => [url, undefined]),
  // Mastodon redirects to the other server, whose page forbids frames.
  ['https://mastodon.social/@jane@other.example/1093822', undefined],
  [
    `${SOUNDCLOUD}https%3A//api.soundcloud.com/tracks/1&color=red`,
    `${SOUNDCLOUD}https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F1`,
  ],
  [`https://${MUSIC}/album/kiln/144?i=145`, `https://embed.${MUSIC}/album/kiln/144?i=145`],
  [`https://${MUSIC}/playlist/hum/pl.u-a1`, `https://embed.${MUSIC}/playlist/hum/pl.u-a1`],
  [`https://${PODCAST}`, `https://embed.${PODCAST}`],
  [ALBUM, ALBUM],
  ['https://mira.bandcamp.com/album/kiln', undefined],
  ['https://codepen.io/j/pen/abcDEF?x', 'https://codepen.io/j/embed/abcDEF?default-tab=result'],
  [POST, `${POST}/embed`],
  ['https://mastodon.social/users/jane/statuses/1093822', `${POST}/embed`],
  ['https://social.example/@jane/1093822', undefined],
  ['https://mastodon.social/@jane', undefined],
  ['https://www.openstreetmap.org/#map=15/38.7100/-9.1400', AREA],
  [
    'https://www.openstreetmap.org/?mlat=38.71&mlon=-9.14#map=15/38/9',
    `${AREA}&marker=38.71%2C-9.14`,
  ],
  [
    `${OSM}bbox=-9.2,38.6,-9.1,38.8&layer=cyclosm`,
    `${OSM}bbox=-9.2%2C38.6%2C-9.1%2C38.8&layer=mapnik`,
  ],
  [`${OSM}bbox=-180,-85,180,85`, `${OSM}bbox=-180%2C-85%2C180%2C85&layer=mapnik`],
  [
    `${MAPS}/place/Rua+das+Flores+12/@38.71,-9.14,17z/data=!3m1`,
    `${MAPS}?q=Rua+das+Flores+12&output=embed&ll=38.71%2C-9.14&z=17`,
  ],
  ['https://www.google.de/maps/@38.71,-9.14,12.5z', `${MAPS}?q=38.71%2C-9.14&output=embed&z=12`],
  ['https://maps.google.com/?q=Lisbon', `${MAPS}?q=Lisbon&output=embed`],
  [`${MAPS}/search/?api=1&query=Lisbon`, `${MAPS}?q=Lisbon&output=embed`],
  [`${MAPS}/embed?pb=!1m18!2d-9.1`, `${MAPS}/embed?pb=%211m18%212d-9.1`],
  ['https://maps.app.goo.gl/abc', undefined],
  ['https://www.google.com/search?q=maps', undefined],
])('the player of %s is %s', (url, src) => {
  expect(findEmbed(url)?.src).toBe(src);
});

it.each([
  `https://youtube.com.evil.example/watch?v=${VIDEO}`,
  `https://evilyoutube.com/watch?v=${VIDEO}`,
  `https://www.youtube.com:8443/watch?v=${VIDEO}`,
  'https://www.youtube.com/watch?v=../../evil',
  `https://www.youtube.com/redirect?q=https://evil.example&v=${VIDEO}`,
  'https://vimeo.com/log_in/76979871',
  'https://open.spotify.com/constructor/x',
  'https://open.spotify.com/embed/track/..%2f..%2fx',
  'https://w.soundcloud.com/player/?url=https://evil.example/tracks/1',
  'https://w.soundcloud.com/player/?url=javascript:alert(1)',
  'https://soundcloud.com/jane/%2e%2e%2fevil',
  'https://music.apple.com/pt/album/%2e%2e/1',
  'https://bandcamp.com/EmbeddedPlayer/album=1/notes=<script>/',
  'https://codepen.io/jane/pen/abc"onload="',
  'https://mastodon.social.evil.example/@jane/1',
  'https://mastodon.social/@jane/1/../../x',
  'https://www.openstreetmap.org/#map=15/900/1',
  'https://google.com.evil.example/maps/@1,2,3z',
  'https://www.google.com/maps/embed?pb="><script>',
  'https://example.com/embed/1',
])('the player of a URL does not exist for %s', (url) => {
  expect(findEmbed(new URL(url).href)).toBe(undefined);
});

it('the player of a URL is always on an allowed host', () => {
  const prefix = fc.constantFrom(
    'https://www.youtube.com/',
    'https://youtu.be/',
    'https://vimeo.com/',
    'https://open.spotify.com/track/',
    'https://soundcloud.com/',
    'https://w.soundcloud.com/player/?url=',
    'https://music.apple.com/pt/album/',
    'https://bandcamp.com/EmbeddedPlayer/',
    'https://codepen.io/jane/pen/',
    'https://mastodon.social/@',
    'https://www.openstreetmap.org/',
    'https://www.google.com/maps/place/',
    'https://www.google.com/maps/embed?pb=',
  );
  const urlText = fc.oneof(
    httpsUrl,
    fc.tuple(prefix, fc.string({ maxLength: 40 })).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(urlText, (text) => {
      const url = URL.parse(text);
      const src = url && findEmbed(url.href)?.src;
      if (!src) return;
      expect(new URL(src).href).toBe(src);
      expect(src).toSatisfy(() => PLAYERS.some((pattern) => pattern.test(src)));
    }),
    { numRuns: 500 },
  );
});

const url = `https://youtu.be/${VIDEO}`;
const page = (fields: object) => renderPage({ blocks: [block('embed', { url, ...fields })] });
const render = (urls: string[], isFramed = false) => {
  const blocks = urls.map((embedUrl) => block('embed', { url: embedUrl }));
  const context = { ...RENDER_CONTEXT, isFramed };
  return renderSite({ ...EMPTY_SITE, blocks }, context, { abuseContact: undefined });
};

it('an embed is a collapsed player that loads lazily, with few permissions', () => {
  const [details] = page({ title: 'Film' }).findAll('details');
  expect(details!.attrs.map(({ name }) => name)).toEqual(['class']);
  expect(readText(details!).replace(/\s+/g, ' ').trim()).toBe('Film YouTube Open on youtu.be');
  const [frame] = page({ title: 'Film' }).findAll('iframe');
  expect(Object.fromEntries(frame!.attrs.map(({ name, value }) => [name, value]))).toEqual({
    class: 'frame wide',
    src: `${YOUTUBE}/${VIDEO}`,
    title: 'Film',
    loading: 'lazy',
    referrerpolicy: 'strict-origin',
    allow: 'encrypted-media; fullscreen; picture-in-picture',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  });
});

it.each([
  [`https://${MUSIC}/album/kiln/144`, true],
  [`https://${PODCAST}`, true],
  [`${SPOTIFY}/track/${TRACK}`, false],
])(
  'an embed of %s has what the snippet of its service asks for, but cannot leave the page',
  (target, isApple) => {
    const [frame] = renderPage({ blocks: [block('embed', { url: target })] }).findAll('iframe');
    expect(attribute(frame!, 'allow')).toMatch(/^autoplay; clipboard-write; encrypted-media; /);
    const sandbox = attribute(frame!, 'sandbox')!.split(' ');
    expect(sandbox.includes('allow-forms')).toBe(isApple);
    expect(sandbox.includes('allow-storage-access-by-user-activation')).toBe(isApple);
    expect(sandbox.filter((token) => token.startsWith('allow-top'))).toEqual([]);
  },
);

it('an embed is expanded if `inline` is true', () => {
  expect(attribute(page({ inline: true }).findAll('details')[0]!, 'open')).toBe('');
  expect(attribute(page({ inline: 'true' }).findAll('details')[0]!, 'open')).toBe(undefined);
});

it('an embed shows the name of the service if it has no title', () => {
  expect(page({}).text).toContain('YouTube youtu.be');
  expect(page({ url: 'https://example.com/film' }).text).toContain(
    'example.com/film Open on example.com',
  );
});

it('an embed shows a stored cover below the play button, and loads no other one', () => {
  const path = '/pictures/AAAAAAAAAAAAAAAAAAAAAA-480x360';
  const shown = page({ cover: `https://nameplate.example${path}/1200.webp` });
  const covers = shown.findAll('img').map((img) => attribute(img, 'src'));
  expect(covers).toContain(`${path}/1200.webp`);
  const foreign = page({ cover: 'https://i.ytimg.com/vi/x/hqdefault.jpg' });
  expect(foreign.html).not.toContain('ytimg');
});

it('an embed has no frame in a preview, which would reload it on every change', () => {
  const { html } = render([url], true);
  expect(html).toContain('<details');
  expect(html).not.toContain('<iframe');
});

it('an embed allows frames only from its player', () => {
  const listFrames = (...urls: string[]) => render(urls).cspFrameSources;
  expect(listFrames('https://example.com/embed/1')).toEqual([]);
  expect(listFrames(url, `https://www.youtube.com/shorts/${VIDEO}`)).toEqual([
    'https://www.youtube-nocookie.com',
  ]);
  expect(listFrames('https://vimeo.com/1', 'https://example.com')).toEqual([
    'https://player.vimeo.com',
  ]);
});
