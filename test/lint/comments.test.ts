import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDERS = [
  'bench',
  'client',
  'contract',
  'dashboard',
  'db',
  'ecosystem',
  'openapi',
  'scripts',
  'server',
  'test',
];

const SOURCES = '{ts,tsx,js,css}';

/** Words with which a comment would refer to what is written elsewhere. */
const WORDS = 'Of|That|Those|The same|Between|Past|Else|So|What';

/** A block comment, or the first line of line comments, that begins with one of them. */
const OPENING = new RegExp(
  String.raw`(?:/\*+[\s*]+|(?<!^[ \t]*//.*\n)^[ \t]*// )(?:${WORDS})\b.*`,
  'gm',
);

async function badOpenings(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for (const file of globSync(pattern, { exclude: ['**/{node_modules,dist,generated}/**'] }))
    for (const [text] of (await readFile(file, 'utf8')).matchAll(OPENING))
      found.push(`${file}: ${text.trim()}`);
  return found;
}

it.each(FOLDERS)(
  'comments in %s/ begin with a noun or a verb and can be understood alone',
  async (folder) => {
    expect(await badOpenings(`${folder}/**/*.${SOURCES}`)).toEqual([]);
  },
);

it('comments of settings of tools begin with a noun or a verb and can be understood alone', async () => {
  expect(await badOpenings(`*.${SOURCES}`)).toEqual([]);
});

it('each of these words is found at the beginning of each kind of comment', () => {
  for (const word of WORDS.split('|')) {
    const comment = [`/** ${word} it. */`, `/* ${word} it. */`, `/**\n * ${word} it.\n */`];
    for (const text of [...comment, `  // ${word} it.`]) expect(text.match(OPENING)).not.toBeNull();
    expect(`// A line\n// ${word} it.`.match(OPENING)).toBeNull();
  }
});
