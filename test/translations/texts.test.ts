import { readdirSync, readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#contract/shared/languages.ts';
import { PAGE_LANGUAGES } from '#contract/shared/page-languages.ts';
import { languageOf } from '#server/platform/text/language.ts';
import {
  createRuntimeTranslator,
  readTranslations,
  type Translations,
  translateSource,
} from '#translations/texts.ts';
import { readSourceTexts, sourceTexts } from './source-texts.ts';

const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

function namesIn(message: ReturnType<typeof compile>): string[] {
  if (!Array.isArray(message)) return [];
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, ...rest] = node as [unknown, ...unknown[]];
    if (typeof name === 'string') names.add(name);
    for (const part of rest)
      if (Array.isArray(part)) visit(part);
      else if (typeof part === 'object' && part !== null)
        for (const branch of Object.values(part))
          if (Array.isArray(branch)) for (const nested of branch) visit(nested);
  };
  for (const node of message) visit(node);
  return [...names].toSorted();
}

function readPageTexts(language: string): Translations {
  const file = new URL(`../../page/translations/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Translations;
}

describe.each([
  ...TRANSLATED.map((language) => ({
    of: `the server to ${language}`,
    texts: readTranslations(language),
    sourceTexts,
  })),
  ...PAGE_LANGUAGES.filter((language) => language !== 'en').map((language) => ({
    of: `public pages to ${language}`,
    texts: readPageTexts(language),
    sourceTexts: () => readSourceTexts(['page']),
  })),
])('the translation of $of', ({ of, texts, sourceTexts: listTexts }) => {
  it(`the translation of ${of} has every text of the source, no other, and none that is empty`, async () => {
    const expected = new Set(await listTexts());
    expect({
      missing: [...expected].filter((text) => !(text in texts)),
      unused: Object.keys(texts).filter((text) => !expected.has(text)),
      empty: Object.keys(texts).filter((text) => texts[text]!.trim() === ''),
    }).toEqual({ missing: [], unused: [], empty: [] });
  });

  it(`the translation of ${of} has the same arguments and tags as the English texts`, () => {
    for (const [text, translation] of Object.entries(texts))
      expect([text, namesIn(compile(translation))]).toEqual([text, namesIn(compile(text))]);
  });
});

it('each language of public pages has a file', () => {
  const files = readdirSync(new URL('../../page/translations/', import.meta.url));
  expect(['en.json', ...files].toSorted()).toEqual(
    PAGE_LANGUAGES.map((language) => `${language}.json`).toSorted(),
  );
});

it('a text formats plurals, arguments and tags', () => {
  const t = createRuntimeTranslator('de', {
    'noun|Open': 'Offen',
    '{count, plural, one {# link} other {# links}} of {name}':
      '{count, plural, one {# Link} other {# Links}} von {name}',
    'Read the <a>terms</a>.': 'Lies die <a>Bedingungen</a>.',
  });
  expect(t('noun|Open')).toBe('Offen');
  expect(t('verb|Open')).toBe('Open');
  const links = (count: number) =>
    t('{count, plural, one {# link} other {# links}} of {name}', { count, name: '{Ann}' });
  expect([links(1), links(1_234)]).toEqual(['1 Link von {Ann}', '1.234 Links von {Ann}']);
  const tags = { a: (children: unknown[]) => ({ tag: 'a', children }) };
  expect(t.rich('Read the <a>terms</a>.', tags)).toEqual([
    'Lies die ',
    { tag: 'a', children: ['Bedingungen'] },
    '.',
  ]);
});

it('the build replaces the texts of a source file with compiled translations', () => {
  const source = `t('Save'); t.rich("It's <b>{n}</b>", { n }); wait('Save'); t(\n  'Stay',\n)`;
  expect(translateSource(source, { Save: 'Speichern' })).toBe(
    `"Speichern"; t.rich(["It's ",["b",["n"]]], { n }); wait('Save'); "Stay"`,
  );
});

it.each([
  ['de-AT,en;q=0.8', 'de'],
  ['fr,DE;q=0.5,en;q=0.4', 'de'],
  ['en-GB,de', 'en'],
  ['de;q=0,fr', 'en'],
  ['*', 'en'],
  [',;q=x', 'en'],
  [undefined, 'en'],
])('Accept-Language %s gets %s', (header, language) => {
  const headers = header === undefined ? {} : { 'accept-language': header };
  expect(languageOf({ headers })).toBe(language);
});
