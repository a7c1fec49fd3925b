import fc from 'fast-check';
import ical from 'ical.js';
import { mf2 } from 'microformats-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderVcard } from '#page/files/vcard.ts';
import type { PublicSite } from '#page/public-site.ts';
import { renderSite } from '#page/render-site.ts';
import { publishPage } from '../support/publish-page.ts';
import { expectErrorBody } from '../support/response-expectations.ts';
import { anyCharacter } from '../support/text-arbitraries.ts';
import { useServer } from '../support/use-server.ts';
import {
  attribute,
  EMPTY_SITE,
  block,
  Page,
  renderPage,
  pageSettings,
  RENDER_CONTEXT,
  readText,
} from './support/site.ts';

const { url } = RENDER_CONTEXT;
const SITE: PublicSite = {
  ...EMPTY_SITE,
  display_name: 'Jane "J" Doe, Potter; \\ <b>&amp;',
  bio: 'Clay, fire;\nand \\n what comes of it. Ünïcödé 🦊 '.repeat(4).trim(),
  avatar_url: 'https://cdn.example/jane,1;2.png',
  location: 'Lisbon, Portugal',
  mood: '🦊',
  mailAddress: 'jane-doe@mail.example',
  blocks: [
    block('link', { url: 'https://social.example/@jane', title: 'Me' }),
    block('link', { url: 'https://shop.example/', title: 'A shop I like', me: false }),
    block('social', { items: [{ url: 'https://code.example/jane' }, { url: 'javascript:1' }] }),
    block('contact', { email: 'jane@example.com', phone: '+351 21 000', forwarding: true }),
    block('contact', { address: 'Rua 1; Lisboa' }),
    block('event', { title: 'Kiln', starts_at: '2026-12-05T10:00:00Z', location: 'Lisbon' }),
  ],
  settings: pageSettings({ pronouns: 'she/her' }),
};
const PROFILE_URLS = ['https://social.example/@jane', 'https://code.example/jane'];

const HOSTILE_TEXT = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 120 }),
  fc.constantFrom(
    'x\r\nEND:VCARD\r\nBEGIN:VCARD',
    '</title><a rel=me href=https://evil.example>',
    '\\',
    ';,:"^n',
    'a\u2028\u0085b',
    'é'.repeat(200),
    ' ',
  ),
);

it.each(['Skerry <Club>', null])(
  'machine-readable data in a page has og:site_name if the server has a name: %j',
  (name) => {
    const instance = { name, homeUrl: url, imprintUrl: url, privacyUrl: null };
    const { html } = renderSite(SITE, RENDER_CONTEXT, { abuseContact: undefined, instance });
    const tags = new Page(html).findAll('meta');
    const tag = tags.find((meta) => attribute(meta, 'property') === 'og:site_name');
    expect(tag && attribute(tag, 'content')).toBe(name ?? undefined);
  },
);

it('machine-readable data in a page has one h-card for the page, with rel=me links that the owner chose', () => {
  const { items, rels } = mf2(renderPage(SITE).html, { baseUrl: url });
  expect(items).toEqual([
    {
      type: ['h-card'],
      properties: {
        name: [SITE.display_name],
        nickname: ['jane-doe'],
        url: [url],
        uid: [url],
        photo: [SITE.avatar_url],
        pronouns: ['she/her'],
        locality: ['Lisbon, Portugal'],
        note: [SITE.bio],
        email: ['mailto:jane@example.com', 'mailto:jane-doe@mail.example'],
        tel: ['+351 21 000'],
        adr: ['Rua 1; Lisboa'],
      },
      children: [
        {
          type: ['h-event'],
          properties: {
            name: ['Kiln'],
            start: ['2026-12-05T10:00:00.000Z'],
            location: ['Lisbon'],
          },
        },
      ],
    },
  ]);
  expect(rels['me']).toEqual([url, ...PROFILE_URLS]);
  expect(rels['canonical']).toEqual([url]);
});

it('machine-readable data in a page has schema.org data of the same person', () => {
  const [script] = renderPage(SITE).findAll('script');
  expect(JSON.parse(readText(script!))).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: {
      '@type': 'Person',
      name: SITE.display_name,
      alternateName: 'jane-doe',
      identifier: 'jane-doe',
      url,
      description: SITE.bio,
      image: SITE.avatar_url,
      homeLocation: { '@type': 'Place', name: 'Lisbon, Portugal' },
      sameAs: PROFILE_URLS,
    },
  });
});

it('machine-readable data in a page has a description of at most 200 characters that ends with a whole word', () => {
  const findDescriptions = (bio: string) =>
    renderPage({ ...EMPTY_SITE, bio })
      .findAll('meta')
      .filter((element) => attribute(element, 'name') === 'description')
      .map((element) => attribute(element, 'content'));
  const text = 'clay '.repeat(39);
  expect(findDescriptions(`${text}kilns`)).toEqual([`${text}kilns`]);
  expect(findDescriptions(`${text}potter`)).toEqual([`${text.trim()}…`]);
});

it('machine-readable data in a page has each required Open Graph property once, with absolute URLs', () => {
  const page = renderPage(SITE);
  const tags = page
    .findAll('meta')
    .map((element) => [attribute(element, 'property'), attribute(element, 'content')] as const)
    .filter(([property]) => property !== undefined);
  expect(tags.map(([property]) => property)).toEqual([
    ...new Set(tags.map(([property]) => property)),
  ]);
  expect(Object.fromEntries(tags)).toMatchObject({
    'og:type': 'profile',
    'og:title': SITE.display_name,
    'og:url': url,
    'og:image': expect.stringMatching(/\/@jane-doe\/card\.png\?v=[\da-f]{5}$/),
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': SITE.display_name,
    'profile:username': 'jane-doe',
  });
});

it("machine-readable data in a page always describes the page's owner, whatever the owner writes", () => {
  fc.assert(
    fc.property(HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT, (title, bio, location) => {
      const page = renderPage({ display_name: title, bio, location });
      const { items, rels } = mf2(page.html, { baseUrl: url });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ type: ['h-card'], properties: { url: [url] } });
      expect(rels['me']).toEqual([url]);
      expect(page.findAll('title')).toHaveLength(1);
    }),
    { numRuns: 100 },
  );
});

/** Returns the name, parameters, type and value of each property. */
const parseVcard = (site: PublicSite, version?: '4.0') =>
  ical.parse(renderVcard(site, RENDER_CONTEXT, version)) as [string, unknown[][]];

it.each([
  ['3.0', undefined, 'vcard version fn'],
  ['4.0', '4.0', 'vcard version kind fn'],
] as const)(
  'the vCard of a page is one card %s with folded lines, whatever the owner writes',
  (...parameters) => {
    const [expected, version, firstNames] = parameters;
    fc.assert(
      fc.property(HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT, (title, bio, location) => {
        const site = { ...EMPTY_SITE, display_name: title, bio, location };
        const [kind, properties] = parseVcard(site, version);
        const [note, locality] = [bio.trim() && 'note', location.trim() && 'adr'];
        expect(properties[0]?.at(-1)).toBe(expected);
        const names = `${firstNames} n nickname source url ${note} ${locality}`;
        expect([kind, ...properties.map(([name]) => name)]).toEqual(names.trim().split(/ +/));
        const text = renderVcard(site, RENDER_CONTEXT, version);
        // Some readers break lines at these.
        expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
        for (const line of text.split('\r\n'))
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }),
      { numRuns: 100 },
    );
  },
);

it.each([
  ['Jane Mary Doe', 'Doe', 'Jane Mary'],
  ['Anna von der Heide', 'von der Heide', 'Anna'],
  ['Jane', '', 'Jane'],
  ['山田 太郎', '', '山田 太郎'],
  ['Doe, Jane', '', 'Doe, Jane'],
  ['Sea Club e. V.', '', 'Sea Club e. V.'],
])('the vCard of a page has the family name of %s', (title, family, given) => {
  const [, properties] = parseVcard({ ...EMPTY_SITE, display_name: title });
  const name = properties.find(([property]) => property === 'n');
  expect(name?.at(-1)).toEqual([family, given, '', '', '']);
});

describe('WebFinger', () => {
  const { server, account } = useServer({ account: true, PUBLIC_URL: 'https://example.org' });
  const blocks = [{ type: 'page', fediverse: '@jane@social.example' }] as const;
  beforeAll(() => publishPage(account, 'jane-doe', { blocks: [...blocks] }));

  const getWebFinger = async (query: string) => {
    const response = await server.app.inject({ url: `/.well-known/webfinger${query}` });
    return { status: response.statusCode, headers: response.headers, body: response.payload };
  };

  it('WebFinger returns an account’s other profiles to every origin', async () => {
    for (const resource of [
      'acct:jane-doe@example.org',
      'acct%3AJane-Doe%40EXAMPLE.org',
      'https://example.org/@jane-doe',
    ]) {
      const { status, headers, body } = await getWebFinger(`?resource=${resource}&rel=self`);
      expect({ status, ...headers }).toMatchObject({
        status: 200,
        'content-type': 'application/jrd+json',
        'access-control-allow-origin': '*',
      });
      expect(JSON.parse(body)).toEqual({
        subject: 'acct:jane-doe@example.org',
        aliases: ['https://example.org/@jane-doe'],
        links: [
          {
            rel: 'http://webfinger.net/rel/profile-page',
            type: 'text/html',
            href: 'https://example.org/@jane-doe',
          },
          {
            rel: 'self',
            type: 'application/activity+json',
            href: 'https://social.example/users/jane',
          },
        ],
      });
    }
  });

  it('WebFinger returns 404 for other hosts and unknown accounts, and 400 without a resource', async () => {
    for (const resource of [
      'acct:jane-doe@elsewhere.example',
      'acct:nobody-here@example.org',
      'mailto:jane-doe@example.org',
      'https://example.org/',
      'https://example.org/@jane-doe/x',
    ]) {
      const { status, headers, body } = await getWebFinger(`?resource=${resource}`);
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expectErrorBody(JSON.parse(body));
    }
    const invalidQueries = [
      '',
      '?resource',
      '?resource=',
      '?resource=x',
      '?resource=a:b&resource=c:d',
    ];
    for (const query of invalidQueries)
      expect([query, (await getWebFinger(query)).status]).toEqual([query, 400]);
  });
});
