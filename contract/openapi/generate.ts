import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildDocument } from './document.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const file = new URL('../../openapi.json', import.meta.url);
const text = `${JSON.stringify(await buildDocument(), null, 2)}\n`;
if (!values.check) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('openapi.json differs from the contract: run npm run generate.\n');
  process.exitCode = 1;
}
