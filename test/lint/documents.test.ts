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

/** Variables of other programs, and those that the documents themselves set. */
const OTHER_VARIABLES =
  /^(?:NODE|OTEL|HTTPS?|POSTGRES|POSTFIX|SERVER)_|^(?:AUTHORIZATION|DOMAIN|NO_COLOR|PWD|RESTORED_URL|WEBHOOK_SECRET)$/;
const VARIABLE_IN_TEXT =
  /(?<![\w<])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)|(?<=[$]\{?|process\.env\.|export )[A-Z]\w*/g;
const VARIABLE_IN_CODE = /(?<=['"`$#])[A-Z][A-Z0-9_]+(?=['"`= ])|(?<=export |[ ])[A-Z]\w+(?==\$)/g;

it.each(documents.filter((name) => name !== 'CONTRIBUTING.md'))(
  '%s names only environment variables that exist',
  async (name) => {
    const code = globSync(
      ['.env.example', 'compose.yaml', '{server,client/src,deploy,tools}/**/*.*'],
      {
        cwd: root,
        exclude: ['**/node_modules', '**/*.{md,webp,png}'],
      },
    );
    const texts = await Promise.all(code.map((file) => readFile(join(root, file), 'utf8')));
    const known = new Set(texts.flatMap((text) => text.match(VARIABLE_IN_CODE) ?? []));
    const text = await readFile(join(root, name), 'utf8');
    const unknown = (text.match(VARIABLE_IN_TEXT) ?? []).filter(
      (variable) => !known.has(variable) && !OTHER_VARIABLES.test(variable),
    );
    expect(unknown).toEqual([]);
  },
);

it.each(['docs/pictures/logo.svg', 'client/logo.svg'])(
  '%s matches the logo in the source',
  async (name) => {
    expect(await readFile(join(root, name), 'utf8')).toBe(`${LOGO}\n`);
  },
);

it('docs/limits.md and the database check count the same number of connections', async () => {
  const text = await readFile(join(root, 'docs/limits.md'), 'utf8');
  expect(text).toContain(`servers × (DATABASE_POOL_SIZE + ${EXTRA_CONNECTIONS}) + 10`);
});
