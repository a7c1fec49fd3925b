import { describe, expect, it } from 'vitest';
import { THEMES } from '#contract/themes.ts';
import { useServer } from '../support/use-server.ts';
import { renderPage, textOf } from './support/site.ts';

const { server } = useServer();

/** Font URLs and families that a page loads. */
function fontsOf(font_family: string, themeId: string | null = null): [string, string][] {
  const [style] = renderPage({ customTheme: { font_family }, themeId }).all('style');
  const rules = textOf(style!).matchAll(/@font-face\{font-family:"([^"]+)";src:url\(([^)]+)\)/g);
  return [...rules].map(([, family, url]) => [family!, url!]);
}

describe('a font chosen by the owner', () => {
  it('is loaded from this server if available, in any case, and never from another host', async () => {
    for (const name of ['Lora', 'playfair display', 'Georgia, JetBrains Mono, serif', 'INTER']) {
      const fonts = fontsOf(name);
      // Latin and extended Latin, each also in italics if the font has them.
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

  it('is ignored if unknown, or while a preset with its own font is used', () => {
    for (const name of ['Georgia', 'Lora2', 'serif', 'Noto Emoji'])
      expect(fontsOf(name)).toEqual([]);
    const families = fontsOf('Lora', THEMES[6].id).map(([family]) => family);
    expect(new Set(families)).toEqual(new Set(['JetBrains Mono']));
  });

  it('is enlarged if its letters are small', () => {
    const adjusted = ['Caveat', 'Inter'].map((font_family) =>
      textOf(renderPage({ customTheme: { font_family } }).all('style')[0]!).includes(
        ';size-adjust:',
      ),
    );
    expect(adjusted).toEqual([true, false]);
  });

  it('that does not exist gets the same response as an unknown page', async () => {
    const [page, font] = await Promise.all(
      ['/@nobody-at-all', '/fonts/0123456789abcdef.woff2'].map((url) => server.app.inject({ url })),
    );
    expect(font!.statusCode).toBe(404);
    expect(font!.payload).toBe(page!.payload);
  });
});
