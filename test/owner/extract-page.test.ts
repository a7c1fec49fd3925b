import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { extractPage } from '#server/features/page-import/extract-page.ts';
import { URLS_IN_TEXT } from '../support/urls-in-text.ts';

const link = (url: string, title?: string, enabled = true) => ({
  type: 'link',
  url,
  ...(title !== undefined && { title }),
  enabled,
});
const heading = (content: string) => ({ type: 'heading', content, enabled: true });

it.each(URLS_IN_TEXT)('links in the text %j', (text, url) => {
  expect(extractPage(text).blocks).toMatchObject([{ type: 'link', url }]);
});

it.each([
  ['My shop: https://a.example', [link('https://a.example', 'My shop')]],
  ['1. https://a.example – Shop (new) 🏺', [link('https://a.example', 'Shop (new) 🏺')]],
  ['- [ ] [Shop](https://a.example "x")', [link('https://a.example', 'Shop')]],
  ['[A [b]](https://a.example/(x)), **fine**', [link('https://a.example/(x)', 'A [b]')]],
  ['"Mugs, bowls";"https://a.example"', [link('https://a.example', 'Mugs, bowls')]],
  ['| Shop | https://a.example |', [link('https://a.example', 'Shop')]],
  [
    'A https://a.example B https://b.example',
    [link('https://a.example', 'A'), link('https://b.example', 'B')],
  ],
  ['instagram.com/jane', [link('https://instagram.com/jane')]],
  ['Write: jane@example.com.', [link('mailto:jane@example.com', 'Write')]],
  ['# Shops\nhttps://a.example', [heading('Shops'), link('https://a.example')]],
])('links in the text %j', (text, blocks) => {
  expect(extractPage(text)).toMatchObject({ blocks, left_out: [] });
});

it('links in a text are not titled by punctuation', () => {
  const { blocks } = extractPage('(https://a.example). <https://b.example>!');
  expect(blocks.map((block) => block['title'])).toEqual([undefined, undefined]);
});

it('links in a text that a page cannot have, and lines without a link, are listed', () => {
  expect(extractPage('Hello\n---\nhttps://jane:secret@a.example\nhttps://a.example')).toMatchObject(
    {
      blocks: [link('https://a.example')],
      left_out: [
        { reason: 'not_a_link', title: 'Hello', url: null },
        { reason: 'not_supported', title: '', url: 'https://jane:secret@a.example' },
      ],
    },
  );
});

it('a page of Linktree is read from the data that its scripts use', () => {
  const pageProps = {
    profilePictureUrl: 'https://ugc.example/jane.png',
    account: { username: 'jane', links: [] },
    socialLinks: [
      { type: 'INSTAGRAM', url: 'https://instagram.com/jane' },
      { type: 'EMAIL_ADDRESS', url: 'jane@example.com' },
    ],
    links: [
      { type: 'HEADER', title: 'Shop', url: '' },
      { type: 'CLASSIC', title: 'Mugs  & \u0007bowls', url: 'https://example.com/shop' },
      { type: 'CLASSIC', title: 'Bad', url: 'javascript:alert(1)' },
      { title: 'Elsewhere', links: [{ title: 'Fair', url: 'https://example.com/fair' }] },
      { type: 'HEADER', title: 'Nothing below', url: null },
    ],
  };
  const source = `<!doctype html><title>Jane | Linktree</title>
      <a href="https://linktr.ee/s/about/privacy">Privacy</a>
      <script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps } })}</script>`;
  const page = {
    blocks: [
      {
        type: 'social',
        items: [{ url: 'https://instagram.com/jane' }, { url: 'mailto:jane@example.com' }],
        enabled: true,
      },
      heading('Shop'),
      link('https://example.com/shop', 'Mugs & bowls'),
      heading('Elsewhere'),
      link('https://example.com/fair', 'Fair'),
    ],
    left_out: [{ reason: 'not_supported', title: 'Bad', url: 'javascript:alert(1)' }],
  };
  expect(extractPage(source)).toEqual(page);
  expect(extractPage(JSON.stringify(pageProps))).toEqual(page);
});

it('a page of LinkStack is read from its elements, without links to its server', () => {
  const source = `<!DOCTYPE html><head><title>Jane 🔗 Links</title>
        <meta property="og:url" content="https://links.example/@jane">
      <h1 class="fadein">Jane Doe<span title="Verified"><svg><title>tick</title></svg></span></h1>
      <div class="row"><a href="https://mastodon.example/@jane" title="Mastodon"><i></i></a></div>
      <div><h2>Shop</h2></div>
      <div><a href="tel:+49 170 1234567"><img alt="phone">Call &amp; <b>chat&#33;</b></a></div>
      <div><span style="">Open on <b>Fridays</b></span></div>
      <div><a href="/vcard/7">Card</a></div>
      <div style="display: none"><a href="https://example.com/a">Hidden</a></div>
      <p hidden><a href="https://example.com/b">Hidden</a><a href="https://example.com/c">Twice</a></p>
      <a aria-hidden="true" href="https://example.com/d">Hidden</a>
      <a href='https://example.com/c?x=1&amp;y=2 3'>Shop</a> <a href="https://example.com/c">Twice</a>
      <!-- <a href="https://example.com/e">Comment</a> -->
      <div class="footer"><a href="https://links.example">Home</a>
        <a href="https://links.example/pages/terms">Terms</a>
        <a href="https://linkstack.org"><img></a></div>`;
  const oldPage = (title: string, url: string) => ({ reason: 'old_page', title, url });
  expect(extractPage(source)).toEqual({
    blocks: [
      {
        type: 'social',
        items: [{ url: 'https://mastodon.example/@jane', label: 'Mastodon' }],
        enabled: true,
      },
      heading('Shop'),
      link('tel:+491701234567', 'Call & chat!'),
      link('https://example.com/a', 'Hidden', false),
      link('https://example.com/b', 'Hidden', false),
      link('https://example.com/c', 'Twice'),
      link('https://example.com/d', 'Hidden', false),
      link('https://example.com/c?x=1&y=2%203', 'Shop'),
    ],
    left_out: [
      { reason: 'not_a_link', title: 'Open on Fridays', url: null },
      oldPage('Card', 'https://links.example/vcard/7'),
      oldPage('Home', 'https://links.example'),
      oldPage('Terms', 'https://links.example/pages/terms'),
      oldPage('', 'https://linkstack.org'),
    ],
  });
});

it.each([
  { active: false },
  { enabled: 'false' },
  { isActive: 0 },
  { is_visible: false },
  { hidden: true },
  { isHidden: 1 },
  { archived: true },
  { status: 'draft' },
])('a page in JSON has links switched off that are %j', (fields) => {
  const links = [
    { url: 'https://a.example', ...fields },
    { title: 'Group', ...fields, children: [{ url: 'https://b.example' }] },
    { url: 'https://c.example', active: true, hidden: false, status: 'published' },
  ];
  expect(extractPage(JSON.stringify({ links })).blocks).toEqual([
    link('https://a.example', undefined, false),
    { ...heading('Group'), enabled: false },
    link('https://b.example', undefined, false),
    link('https://c.example'),
  ]);
});

it('a page without anything useful yields nothing', () => {
  for (const source of ['', 'hello', 'null', '7', '{}', '<p>hello', '[{"links":[{"url":"x"}]}]'])
    expect(extractPage(source).blocks).toEqual([]);
});

it('a page always yields a valid site', () => {
  const parts = fc.constantFrom(
    ...['<a href="', '<a href=', '">', '</a>', '<h1>', '<h2>', '<div hidden>', '&#99999999;'],
    ...['&#0;', '&#x10ffff;', '</script>', '"}]}', 'javascript:', 'mailto:', 'sms:+1', 'geo:1,2'],
    ...['<script type="application/json">', '{"links":[{"title":"x","url":"', '](', '[', '<'],
    ...['<meta property="og:title" content="', 'https://', 'example.com', ','],
    ...['\ud800', '\u202e', 'x'.repeat(500), '\\', '\n', '"'],
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (source) => {
      const { blocks } = extractPage(source.join(''));
      expect(UpdateSiteConfigurationRequest.safeParse({ blocks }).error).toBeUndefined();
    }),
  );
});

it('a page yields no more blocks than a page can have, and lists the others', () => {
  const numbers = Array.from({ length: 120 }, (_, index) => index);
  const links = numbers.map((number) => `<a href="https://example.com/${number}">x</a>`);
  const icons = numbers.map((number) => `<a href="https://example.com/i${number}"></a>`);
  const { blocks, left_out } = extractPage([...icons, ...links].join(''));
  expect(blocks).toHaveLength(100);
  expect(blocks[0]!['items']).toHaveLength(50);
  expect(left_out).toHaveLength(50);
});
