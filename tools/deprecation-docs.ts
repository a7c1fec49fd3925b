import { readFileSync } from 'node:fs';
import { DEPRECATED_IN, DEPRECATIONS } from '../contract/deprecations.ts';
import { formatGenerated, writeGenerated } from './generated-file.ts';

const FILE = new URL('../docs/compatibility.md', import.meta.url);
const TABLE = new RegExp(`(?<=## Deprecated in ${DEPRECATED_IN}\n\n.*\n\n)(?:\\|.*\n)*\n*`);

const rows = DEPRECATIONS.map(({ what, instead, names = [], narrowed = [] }) => {
  const list = [
    ...names.map((name) => `\`${name}\``),
    ...narrowed.map((name) => `\`${name}\` (some values)`),
  ];
  return `| ${what} | ${instead} | ${list.join(', ')} |`;
});
const table = ['| What | Instead | Names |', '| --- | --- | --- |', ...rows, '', ''].join('\n');
const page = readFileSync(FILE, 'utf8');
if (!TABLE.test(page)) throw new Error(`docs/compatibility.md does not list ${DEPRECATED_IN}.`);
writeGenerated(
  FILE,
  formatGenerated(
    FILE,
    page.replace(TABLE, () => table),
  ),
);
