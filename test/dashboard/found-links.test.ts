import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundLinks } from '../../dashboard/screens/page/found-links.ts';

describe('links of another page', () => {
  it('are found in its source, with their names as people read them', () => {
    const source = `
      <style>a { color: red }</style>
      <a class="button button-github" href="https://github.com/jane" target="_blank" rel="noopener">
        <img class="icon" src="images/icons/github.svg" alt="">
        Code &amp; <b>more&#33;</b>
      </a>
      <a href='mailto:jane@example.com'>Mail</a>
      <a href="https://example.com/?a=1&amp;b=2"></a>
      <a href="https://example.com/?a=1&amp;b=2">Shop</a>
      <a href="/privacy">Privacy</a> <a href="javascript:alert(1)">x</a>`;
    expect(foundLinks(source)).toEqual([
      { url: 'https://github.com/jane', title: 'Code & more!' },
      { url: 'mailto:jane@example.com', title: 'Mail' },
      { url: 'https://example.com/?a=1&b=2', title: 'Shop' },
    ]);
  });

  it('are found in what a page that draws itself carries along', () => {
    const data = `<script id="__NEXT_DATA__" type="application/json">{"links":[
      {"id":1,"type":"CLASSIC","title":"My \\"shop\\"","position":0,"url":"https:\\/\\/example.com\\/shop"},
      {"id":2,"title":"Caf\\u00e9","url":"https://example.com/cafe"}]}</script>`;
    expect(foundLinks(data)).toEqual([
      { url: 'https://example.com/shop', title: 'My "shop"' },
      { url: 'https://example.com/cafe', title: 'Café' },
    ]);
  });

  it('are found in a list, named by what stands before them', () => {
    const list = 'My shop: https://example.com/shop\nhttps://a.example https://b.example\nnothing';
    expect(foundLinks(list)).toEqual([
      { url: 'https://example.com/shop', title: 'My shop' },
      { url: 'https://a.example', title: '' },
      { url: 'https://b.example', title: '' },
    ]);
  });

  it('lead where links may lead, whatever is pasted', () => {
    const pasted = fc
      .array(
        fc.constantFrom(
          '<a href="',
          'https://',
          'x',
          '">',
          '</a>',
          '&#99999999;',
          '&#x10ffff;',
          '"title":"',
          '","url":"',
          '\\',
          '\n',
          'javascript:',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(pasted, (text) => {
        for (const { url } of foundLinks(text))
          expect(url).toMatch(/^(?:https?:\/\/|mailto:|tel:)/);
      }),
    );
  });
});
