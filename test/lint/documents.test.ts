import { existsSync, globSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LOGO } from '#server/platform/http/responses/brand.ts';
import { EXTRA_CONNECTIONS } from '#server/database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', 'docs/**/*.md', 'client/README.md'], { cwd: root });

const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name.replaceAll('.', String.raw`\.`));
const PATH_IN_BACKTICKS = new RegExp(`\`((?:${folders.join('|')})/[\\w./-]*)\``, 'g');
const LINK_TARGET = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

it.each(documents)('%s mentions only existing files', async (name) => {
  const text = await readFile(join(root, name), 'utf8');
  const missingPaths = [
    ...[...text.matchAll(PATH_IN_BACKTICKS)].map(([, path]) => join(root, path!)),
    ...[...text.matchAll(LINK_TARGET)].map(([, path]) => join(root, dirname(name), path!)),
  ].filter((path) => !existsSync(path));
  expect(missingPaths).toEqual([]);
});

it.each(['docs/pictures/logo.svg', 'client/logo.svg'])(
  '%s matches the logo in the source',
  async (name) => {
    expect(await readFile(join(root, name), 'utf8')).toBe(`${LOGO}\n`);
  },
);

it('docs/sizing.md and the database check count the same number of connections', async () => {
  const text = await readFile(join(root, 'docs/sizing.md'), 'utf8');
  expect(text).toContain(`servers × (DATABASE_POOL_SIZE + ${EXTRA_CONNECTIONS}) + 10`);
});
