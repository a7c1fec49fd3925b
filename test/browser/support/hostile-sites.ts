import { LIMITS } from '#contract/shared/limits.ts';
import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { readBlockExamples } from '#test/pages/support/block-examples.ts';

const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)' autofocus onfocus='alert(1)",
  '</style></title></textarea><svg onload=alert(1)>',
  '</script><script>alert(1)</script><!--',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example>',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>',
  '\u202Etpircs\u202D\u2066\u2067 {{alert(1)}} ${alert(1)} &lt;script&gt;',
].join(' ');
const RTL = '\u202E\u2067שלום عالم'.repeat(20);
const WORD = 'w'.repeat(LIMITS.blockContent);
const TYPES = ['text', 'heading', 'quote', 'code', 'key', 'poll'];
const URLS = [
  "https://example.com/'onclick='alert(1)'",
  'https://example.com/?a=1&lt;script&gt;&amp;b=%22%3E%3Cscript%3E#javascript:alert(1)',
  `https://example.com/${'p'.repeat(LIMITS.url - 20)}`,
];

function createHostileBlocks(text: string, url: string): UpdateSiteConfigurationRequest['blocks'] {
  const replaceStrings = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaceStrings(item));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, replaceStrings(item, key)]),
      );
    if (typeof value !== 'string' || ['type', 'icon', 'from', 'until'].includes(name)) return value;
    if (name.endsWith('_at')) return value;
    if (name === 'url' || name === 'link') return url;
    return text;
  };
  return readBlockExamples().flatMap(({ blocks }) =>
    blocks.map((block) => replaceStrings(block) as (typeof blocks)[number]),
  );
}

function createHostileSite(text: string, url: string): UpdateSiteConfigurationRequest {
  return {
    ...mapSiteTexts(({ max }) => [...text].slice(0, max).join('')),
    avatar_url: url,
    custom_theme: { font_family: 'x, url, --a' },
    blocks: createHostileBlocks([...text].slice(0, LIMITS.blockContent).join(''), url),
  };
}

/** The most hostile sites that the contract accepts. */
export function createHostileSites(): Record<string, UpdateSiteConfigurationRequest> {
  const blocks = (content: string, types = ['text']) =>
    Array.from({ length: 97 }, (_, index) => ({
      type: types[index % types.length]!,
      enabled: true,
      content,
    }));
  return {
    'markup in every string': createHostileSite(MARKUP, URLS[0]!),
    'markup in every URL': createHostileSite(MARKUP, URLS[1]!),
    'right-to-left text': createHostileSite(RTL, URLS[0]!),
    'long words': createHostileSite(WORD.slice(0, 1_500), URLS[2]!),
    'the maximum of text': { blocks: blocks(WORD, TYPES) },
    'the maximum of markup': { blocks: blocks('> - `<b>` '.repeat(980)) },
    'nested lists': { blocks: blocks('-\n+\n'.repeat(1_600)) },
  };
}
