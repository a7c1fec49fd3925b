import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printOperations } from './generator/print-operations.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const formatter = fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const generated = {
  'src/operations.ts': printOperations(),
  'src/version.ts': `/** The version of this package. */\nexport const VERSION = '${version}';\n`,
};

const check = process.argv.includes('--check');
for (const [name, source] of Object.entries(generated)) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const text = execFileSync(formatter, [`--stdin-filepath=${file}`], {
    cwd: root,
    input: source,
    encoding: 'utf8',
  });
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${relative(root, file)} is stale: run \`npm run generate\`.\n`);
    process.exitCode = 1;
  }
}
