import { expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import type { PublicSite } from '#page/public-site.ts';
import { useServer } from '../support/use-server.ts';
import { block, pageSettings, renderPage, readText } from './support/site.ts';

const { server } = useServer();

/** Family and URL of each font that a page loads. */
function findLoadedFonts(font_family: string, site: Partial<PublicSite> = {}): [string, string][] {
  const [style] = renderPage({ custom_theme: { font_family }, ...site }).findAll('style');
  const rules = readText(style!).matchAll(/@font-face\{font-family:"([^"]+)";src:url\(([^)]+)\)/g);
  return [...rules].map(([, family, url]) => [family!, url!]);
}

it('a font in the custom theme is loaded from this server, whatever the case of its name', async () => {
  for (const name of ['Lora', 'playfair display', 'Georgia, JetBrains Mono, serif', 'INTER']) {
    const fonts = findLoadedFonts(name, { display_name: 'Łódź' });
    // Two files per font, Latin and, if needed, extended Latin. Lora also has italics.
    expect(fonts).toHaveLength(name === 'Lora' ? 4 : 2);
    for (const [, url] of fonts) {
      const { statusCode, headers, rawPayload } = await server.app.inject({ url });
      expect({ statusCode, ...headers }).toMatchObject({
        statusCode: 200,
        'content-type': 'font/woff2',
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(rawPayload.subarray(0, 4).toString()).toBe('wOF2');
    }
  }
});

it.each(['Inter', 'JetBrains Mono', 'Nunito', 'Space Grotesk'])(
  'a font in the custom theme is a smaller file if the page has only common characters: %s',
  async (name) => {
    const sizes = async (display_name: string) => {
      const urls = findLoadedFonts(name, { display_name }).map(([, url]) => url);
      const files = urls.map((url) => server.app.inject({ url }));
      return (await Promise.all(files)).map(({ rawPayload }) => rawPayload.length);
    };
    const [all] = (await sizes('5 ÷ 2')) as [number];
    // The second one is for lighter text.
    expect(await sizes('Ça coûte 5 £ – “übel”…')).toEqual([
      expect.toSatisfy((size: number) => size < all * 0.75),
      all,
    ]);
    expect(await sizes('Łódź')).toEqual([all, expect.any(Number)]);
  },
);

it('a font in the custom theme is the whole Latin file on pages whose text or theme has what may become an arrow: Inter', () => {
  const files = (site: Partial<PublicSite>) => findLoadedFonts('Inter', site).length;
  expect(files({ display_name: 'Jane' })).toBe(2);
  expect(files({ display_name: 'Home -> work' })).toBe(1);
  const settings = pageSettings({ fonts: 'inter' });
  expect(files({ theme_id: THEMES[6].id, settings })).toBe(1);
});

it('a font in the custom theme is used for headings only if it is handwriting', () => {
  const [style] = renderPage({ custom_theme: { font_family: 'caveat' } }).findAll('style');
  expect(readText(style!)).toContain('--body:"Nunito","Nunito 0",system-ui');
  expect(readText(style!)).toContain('--head:"caveat",system-ui');
});

it('a font in the custom theme is ignored if it is unknown, or if the theme has its own font', () => {
  for (const name of ['Georgia', 'Lora2', 'serif', 'Noto Emoji'])
    expect(findLoadedFonts(name)).toEqual([]);
  const families = findLoadedFonts('Lora', { theme_id: THEMES[6].id }).map(([family]) => family);
  expect(new Set(families)).toEqual(new Set(['JetBrains Mono']));
});

it('a font in the custom theme is preceded by a local regular and a local bold font of its size', () => {
  const style = readText(renderPage({}).findAll('style')[0]!);
  const faces = [...style.matchAll(/font-family:"Inter 0";src:local\("(.*?)"\).*?weight:(.*?);/g)];
  expect(faces.map(([, name, weights]) => [name, weights])).toEqual([
    ['Arial', '100 599'],
    ['Arial Bold', '600 900'],
  ]);
});

it('a font in the custom theme is joined by a font for code on pages with code', () => {
  const blocks = [block('code', { content: 'kaolin 10' })];
  const families = findLoadedFonts('Inter', { blocks }).map(([family]) => family);
  expect(new Set(families)).toEqual(new Set(['Inter', 'JetBrains Mono']));
});

it('a font in the custom theme has a size-adjust if its letters are small', () => {
  const usesAdjustedFont = ['Caveat', 'Inter'].map((font_family) =>
    readText(renderPage({ custom_theme: { font_family } }).findAll('style')[0]!).includes(
      'swap;size-adjust:',
    ),
  );
  expect(usesAdjustedFont).toEqual([true, false]);
});
