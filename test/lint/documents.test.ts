import { existsSync, globSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EXTRA_CONNECTIONS } from '#server/database.ts';
import { LOGO } from '#server/entry/pages/shell/brand.ts';

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
  /^(?:NODE|OTEL|HTTPS?|POSTGRES|POSTFIX|SERVER|SRS)_|^(?:AUTHORIZATION|BLOCK|DOMAIN|NO_COLOR|OPERATOR_KEY|PWD|RESTORED_URL|WEBHOOK_SECRET)$/;
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

/** These tests run every command of their documents. */
const TESTED_DOCUMENTS = {
  'README.md': 'test/http/documented-commands.test.ts',
  'docs/api.md': 'test/http/documented-commands.test.ts',
  'docs/metrics.md': 'test/http/documented-commands.test.ts',
  'docs/site-blocks.md': 'test/http/documented-commands.test.ts',
  'docs/webhooks.md': 'test/http/documented-commands.test.ts',
  'docs/public-instance.md': 'test/delivery/public-instance.test.ts',
};
/** Tested with the command line, the settings, backups, PgBouncer, the packed SDK and systemd. */
const TESTED_CODE =
  /^(?:\$ |\S+=\S+ )?npx nameplate .*|^[A-Z_]+=\S+$|^pg_(?:dump|restore) .*|^ALTER ROLE nameplate .*|^npm install \.\/.*|^systemctl stop nameplate\nmv [^]*/gm;

it('every command in the documents is tested, or listed as one that no test runs', async () => {
  const commands: string[] = [];
  for (const name of documents.toSorted()) {
    if (name in TESTED_DOCUMENTS || name === 'docs/architecture.md') continue;
    const text = await readFile(join(root, name), 'utf8');
    for (const [, language = '', code = ''] of text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)) {
      if (!['', 'sh', 'bash', 'sql'].includes(language)) continue;
      const lines = code
        .replaceAll(/\\\n| {3,}/g, '')
        .replaceAll(TESTED_CODE, '')
        .split('\n');
      commands.push(...lines.filter(Boolean).map((line) => `${name}: ${line}\n`));
    }
  }
  // Try a new command on an empty Debian machine, then list it with `npx vitest run -u`.
  await expect(commands.join('')).toMatchFileSnapshot('untested-commands.txt');
  for (const [name, test] of Object.entries(TESTED_DOCUMENTS))
    expect(await readFile(join(root, test), 'utf8')).toContain(name);
});

it('docs/decisions/libraries.md says why each library is installed', async () => {
  const libraries = await readFile(join(root, 'docs/decisions/libraries.md'), 'utf8');
  const packages = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const names = Object.keys({ ...packages.dependencies, ...packages.devDependencies });
  const isFiles = (name: string) => /^@(?:fontsource-variable|types)\//.test(name);
  expect(names.filter((name) => !isFiles(name) && !libraries.includes(`\`${name}\``))).toEqual([]);
});
