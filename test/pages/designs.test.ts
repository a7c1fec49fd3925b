import { describe, expect, it } from 'vitest';
import { createRepresentation } from '#server/platform/http/responses/representation.ts';
import { DESIGNS, SITES, withDesign } from './support/designs.ts';
import { attribute, renderPage } from './support/site.ts';

/** Maximum compressed size of the ordinary site without fonts and pictures. */
const PAGE_BYTES = 11_600;

describe.each(Object.entries(DESIGNS))('a page in the design "%s"', (designName, design) => {
  it.each(Object.entries(SITES))(
    `a page in the design ${designName} is valid HTML without scripts: %s`,
    (_site, site) => {
      const page = renderPage(withDesign(site, design), 'abuse@example.org');
      expect(page.parseErrors).toEqual([]);
      expect(page.findAll('style')).toHaveLength(1);
      for (const script of page.findAll('script'))
        expect(attribute(script, 'type')).toBe('application/ld+json');
      const names = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name));
      expect(names.filter((name) => /^on|^style$|^srcdoc$/.test(name))).toEqual([]);
    },
  );

  it(`a page in the design ${designName} is at most 11,600 bytes compressed, with at least 19 blocks`, async () => {
    const { blocks, ...site } = SITES['ordinary']!;
    const shownBlocks = blocks!.filter(({ type }) => type !== 'qr');
    expect(shownBlocks.length).toBeGreaterThanOrEqual(19);
    const { html } = renderPage(withDesign({ ...site, blocks: shownBlocks }, design));
    const content = {
      type: 'text/html',
      headers: {},
      body: html.replace(/@font-face\{.*?\}/g, ''),
    };
    const { body } = await createRepresentation(content, 'br');
    expect(body.length).toBeLessThanOrEqual(PAGE_BYTES);
  });
});
