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

/** Words with which a comment would refer to what is written elsewhere. */
const OPENING = /\/\*\*[\s*]+(?:Of|That|Those|The same|Between|Past|Else|So|What)\b.*/g;

it.each(FOLDERS)(
  'comments in %s/ begin with a noun or a verb and can be understood alone',
  async (folder) => {
    const found: string[] = [];
    for (const file of globSync(`${folder}/**/*.{ts,tsx}`))
      for (const [text] of (await readFile(file, 'utf8')).matchAll(OPENING))
        found.push(`${file}: ${text}`);
    expect(found).toEqual([]);
  },
);
