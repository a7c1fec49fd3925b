import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { extractPage } from '#server/features/page-import/extract-page.ts';

const link = (url: string, title: string) => ({ type: 'link', url, title });

describe('the HTML of an imported page', () => {
  it('of Linktree is read from the data that its scripts use', () => {
    const nextData = {
      props: {
        pageProps: {
          account: { pageTitle: 'Other', links: [] },
          username: 'jane',
          pageTitle: 'Jane <b>Doe</b>',
          description: 'Potter in Lisbon.\n\nOpen on Fridays.',
          profilePictureUrl: 'https://ugc.example/jane.png',
          socialLinks: [
            { type: 'INSTAGRAM', url: 'https://instagram.com/jane', position: 0 },
            { type: 'EMAIL_ADDRESS', url: 'jane@example.com', position: 1 },
          ],
          links: [
            { type: 'HEADER', title: 'Shop', url: '' },
            { type: 'CLASSIC', title: 'Without an address', url: null },
            { type: 'CLASSIC', title: 'Mugs  & \u0007bowls', url: 'https://example.com/shop' },
            { type: 'CLASSIC', title: 'Bad', url: 'javascript:alert(1)' },
            {
              type: 'GROUP',
              title: 'Elsewhere',
              url: null,
              links: [{ type: 'CLASSIC', title: 'Fair', url: 'https://example.com/fair' }],
            },
            { type: 'HEADER', title: 'Nothing below', url: null },
          ],
        },
      },
    };
    const source = `<!doctype html><title>Jane | Linktree</title>
      <a href="https://linktr.ee/s/about/privacy">Privacy</a>
      <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(nextData)}</script>`;
    expect(extractPage(source)).toEqual({
      display_name: 'Jane <b>Doe</b>',
      bio: 'Potter in Lisbon.\n\nOpen on Fridays.',
      avatar_url: 'https://ugc.example/jane.png',
      blocks: [
        {
          type: 'social',
          items: [
            { url: 'https://instagram.com/jane', label: 'Instagram' },
            { url: 'mailto:jane@example.com', label: 'Email address' },
          ],
        },
        { type: 'heading', content: 'Shop' },
        link('https://example.com/shop', 'Mugs & bowls'),
        { type: 'heading', content: 'Elsewhere' },
        link('https://example.com/fair', 'Fair'),
      ],
    });
    expect(extractPage(JSON.stringify(nextData)).display_name).toBe('Jane <b>Doe</b>');
  });

  it('of LinkStack is read from its visible elements', () => {
    const source = `<head><title>Jane</title><meta property="og:title" content="Jane Doe"></head>
      <style>a { color: red }</style>
      <img alt="avatar" class="rounded-avatar fadein" src="https://links.example/jane.png">
      <h1 class="fadein">Jane Doe<span title="Verified"><svg><title>tick</title></svg></span></h1>
      <div class="fadein description-parent"><p>Potter &amp; glazer.</p></div>
      <div class="row social-icon-div">
        <a class="social-link" href="https://mastodon.example/@jane" title="Mastodon"><i></i></a>
      </div>
      <h2>Shop</h2>
      <a id="1" class="button button-github button-click" href="https://github.com/jane" target="_blank">
        <img class="icon hvr-icon" src="github.svg" alt="">Code &amp; <b>more&#33;</b></a>
      <a class="button" href="/vcard/7">Card</a>
      <a class="button" href='mailto:jane@example.com'>Mail</a>
      <a class="button" href="https://example.com/?a=1&amp;b=2">Shop</a>
      <a class="button" href="https://example.com/?a=1&amp;b=2">Twice</a>
      <h2>Footer</h2><a href="https://linkstack.org">LinkStack</a>`;
    expect(extractPage(source)).toEqual({
      display_name: 'Jane Doe',
      bio: 'Potter & glazer.',
      avatar_url: 'https://links.example/jane.png',
      blocks: [
        { type: 'social', items: [{ url: 'https://mastodon.example/@jane', label: 'Mastodon' }] },
        { type: 'heading', content: 'Shop' },
        link('https://github.com/jane', 'Code & more!'),
        link('mailto:jane@example.com', 'Mail'),
        link('https://example.com/?a=1&b=2', 'Shop'),
      ],
    });
  });

  it("with structured data yields the person's name, bio and picture", () => {
    const image = { url: 'https://example.com/jane.png' };
    const person = { '@type': 'Person', name: 'Jane', description: 'Potter.', image };
    const personData = { '@type': 'ProfilePage', mainEntity: person };
    const source = `<meta property="og:title" content="@jane | Beacons: all in one">
      <script type="application/ld+json">${JSON.stringify(personData)}</script>
      <a href="https://example.com">Home</a>`;
    expect(extractPage(source)).toMatchObject({
      display_name: 'Jane',
      bio: 'Potter.',
      avatar_url: 'https://example.com/jane.png',
    });
    expect(extractPage(source.replace(/<script.*<\/script>/, ''))).toMatchObject({
      display_name: '@jane',
      bio: null,
      avatar_url: null,
    });
  });

  it('can be a list of URLs, each preceded by its title', () => {
    const linkList =
      'My shop: https://example.com/shop\nhttps://a.example https://b.example\nnothing';
    expect(extractPage(linkList).blocks).toEqual([
      link('https://example.com/shop', 'My shop'),
      { type: 'link', url: 'https://a.example' },
      { type: 'link', url: 'https://b.example' },
    ]);
  });

  it('without anything useful yields nothing', () => {
    const emptyPage = { display_name: null, bio: null, avatar_url: null, blocks: [] };
    for (const source of ['', 'hello', '{}', '<p>hello', '[{"links":[{"url":"javascript:x"}]}]'])
      expect(extractPage(source)).toEqual(emptyPage);
  });

  it('always yields a valid site', () => {
    const texts = ['https://', 'example.com', '\ud800', '\u202e', 'x'.repeat(500), '\\', '\n'];
    const htmlParts = fc.constantFrom(
      ...['<a href="', '<a href=', '">', '</a>', '<h1>', '<h2>', '&#99999999;', '&#0;'],
      ...['&#x10ffff;', '</script>', '"}]}', 'javascript:', 'mailto:', 'sms:+1', 'geo:1,2'],
      ...['<script type="application/json">', '{"links":[{"title":"x","url":"'],
      ...['<meta property="og:title" content="', '<img class=avatar src="', ...texts],
    );
    fc.assert(
      fc.property(fc.array(htmlParts, { maxLength: 60 }), (source) => {
        const { blocks, ...site } = extractPage(source.join(''));
        const { error } = UpdateSiteConfigurationRequest.safeParse({ ...site, blocks });
        expect(error).toBeUndefined();
      }),
    );
  });

  it('yields no more blocks than a page can have', () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const links = numbers.map((number) => `<a href="https://example.com/${number}">x</a>`);
    const icons = numbers.map((number) => `<a href="https://example.com/i${number}"></a>`);
    const { blocks } = extractPage([...links, ...icons].join(''));
    expect(blocks).toHaveLength(100);
    expect(blocks[0]!['items']).toHaveLength(50);
  });

  it('yields the beginning of a title of many elements', () => {
    expect(extractPage(`<h1>${'<b>x</b>'.repeat(300)}</h1>`).display_name).toBe('x'.repeat(99));
  });
});
