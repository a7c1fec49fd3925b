import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../dashboard/', import.meta.url));
const readFiles = (pattern: string) =>
  globSync(pattern, { cwd: FOLDER }).map(
    (path) => [path, readFileSync(join(FOLDER, path), 'utf8')] as const,
  );
const sheets = readFiles('**/*.css').map(
  ([path, css]) => [path, css.replace(/\/\*.*?\*\/|@keyframes.*?\n\}|url\(.*?\)/gs, '')] as const,
);
const components = readFiles('**/*.tsx');

/** The selectors of a style sheet, without those of at-rules. */
const listSelectors = (css: string) =>
  [...css.matchAll(/([^{};]+)\{/g)]
    .map(([, prelude]) => prelude!.trim())
    .filter((prelude) => !prelude.startsWith('@'))
    // Commas inside parentheses are not at the end of a line.
    .flatMap((prelude) => prelude.split(/,\n\s*/));
const listClasses = (selector: string) =>
  [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!);
/** Words in the strings of `class` attributes. */
const listUsedClasses = (code: string) =>
  [...code.matchAll(/class\w*=(?:("[^"]*")|\{((?:[^{}]|\{[^{}]*\})*)\})/gi)]
    .flatMap(([, text, expression = '']) => text ?? expression.match(/(['`]).*?\1/g) ?? [])
    .flatMap((text) => text.match(/[a-z][\w-]*/g) ?? []);

it('a style sheet of the dashboard that only some screens load has a class of their own in every selector', () => {
  const sharedSheets = sheets.filter(([path]) => path.startsWith('style/'));
  const sharedClasses = sharedSheets.flatMap(([, css]) => listClasses(css));
  const reachingFar = sheets
    .filter((sheet) => !sharedSheets.includes(sheet))
    .flatMap(([path, css]) => {
      const foreignClasses = new Set([
        ...sharedClasses,
        ...components
          .filter(([file]) => !file.startsWith(`${dirname(path)}/`))
          .filter(([, code]) => !code.includes(`/${basename(path)}';`))
          .flatMap(([, code]) => listUsedClasses(code)),
      ]);
      return listSelectors(css)
        .filter((selector) => listClasses(selector).every((name) => foreignClasses.has(name)))
        .map((selector) => `${path}: ${selector}`);
    });
  expect(reachingFar).toEqual([]);
});

it('a style sheet of the dashboard selects no element by a name of the API', () => {
  const selectors = sheets.flatMap(([, css]) => listSelectors(css));
  expect(selectors.length).toBeGreaterThan(500);
  expect(selectors.filter((selector) => selector.includes('[name'))).toEqual([]);
});
