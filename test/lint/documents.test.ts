import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', 'docs/**/*.md', 'client/README.md'], { cwd: root });

const BACKTICKED =
  /`((?:\.ci|bench|bin|client|contract|dashboard|db|deploy|docs|ecosystem|openapi|scripts|server|test)\/[\w./-]*)`/g;
const LINKED = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

it.each(documents)('%s names only files that are there', async (name) => {
  const text = await readFile(join(root, name), 'utf8');
  const missing = [
    ...[...text.matchAll(BACKTICKED)].map(([, path]) => join(root, path!)),
    ...[...text.matchAll(LINKED)].map(([, path]) => join(root, dirname(name), path!)),
  ].filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});
