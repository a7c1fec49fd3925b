import { describe, expect, it } from 'vitest';
import { createRepresentation } from '#server/http/responses/representation.ts';
import { DESIGNS, SITES, withDesign } from './support/designs.ts';
import { attribute, renderPage } from './support/site.ts';

/** Size limit for a page with every block kind except pictures, without fonts. */
const PAGE_BYTES = 10 * 1_024;

describe.each(Object.entries(DESIGNS))('a page in the design "%s"', (_name, design) => {
  it.each(Object.entries(SITES))('is valid HTML without scripts: %s', (_site, site) => {
    const page = renderPage(withDesign(site, design), 'abuse@example.org');
    expect(page.problems).toEqual([]);
    expect(page.all('style')).toHaveLength(1);
    for (const script of page.all('script'))
      expect(attribute(script, 'type')).toBe('application/ld+json');
    const names = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name));
    expect(names.filter((name) => /^on|^style$|^srcdoc$/.test(name))).toEqual([]);
  });

  it('is at most 10 KB with nineteen blocks', async () => {
    const { blocks, ...site } = SITES['ordinary']!;
    const shown = blocks!.filter(({ type }) => type !== 'qr');
    expect(shown.length).toBeGreaterThanOrEqual(19);
    const { html } = renderPage(withDesign({ ...site, blocks: shown }, design));
    const content = {
      type: 'text/html',
      headers: {},
      body: html.replace(/@font-face\{.*?\}/g, ''),
    };
    const { body } = await createRepresentation(content, 'br');
    expect(body.length).toBeLessThanOrEqual(PAGE_BYTES);
  });
});
