import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { useServer } from '../support/use-server.ts';
import { open, textOf } from './support/site.ts';

const { server } = useServer();

/** The addresses of the fonts that a page loads, by family. */
function fontsOf(font_family: string, themeId: string | null = null): [string, string][] {
  const [style] = open({ customTheme: { font_family }, themeId }).all('style');
  const rules = textOf(style!).matchAll(/@font-face\{font-family:"([^"]+)";src:url\(([^)]+)\)/g);
  return [...rules].map(([, family, url]) => [family!, url!]);
}

describe('a font that an owner names', () => {
  it('is loaded from here if we have it, whatever its case, and never fetched from elsewhere', async () => {
    for (const name of ['Lora', 'playfair display', 'Georgia, JetBrains Mono, serif', 'INTER']) {
      const fonts = fontsOf(name);
      // Latin letters and more of them, and both slanted where the font has these.
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

  it('is no business of ours otherwise, nor while a preset with its own is used', () => {
    for (const name of ['Georgia', 'Lora2', 'serif', 'Noto Emoji'])
      expect(fontsOf(name)).toEqual([]);
    const families = fontsOf('Lora', THEMES[6].id).map(([family]) => family);
    expect(new Set(families)).toEqual(new Set(['JetBrains Mono']));
  });

  it('is made larger if its letters are small', () => {
    const adjusted = ['Caveat', 'Inter'].map((font_family) =>
      textOf(open({ customTheme: { font_family } }).all('style')[0]!).includes(';size-adjust:'),
    );
    expect(adjusted).toEqual([true, false]);
  });

  it('that there is not has the answer of a page that there is not', async () => {
    const [page, font] = await Promise.all(
      ['/@nobody-at-all', '/fonts/0123456789abcdef.woff2'].map((url) => server.app.inject({ url })),
    );
    expect(font!.statusCode).toBe(404);
    expect(font!.payload).toBe(page!.payload);
  });
});
