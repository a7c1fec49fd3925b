import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { documentText } from './document.ts';

const file = new URL('../openapi.json', import.meta.url);
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const text = await documentText();
if (!values.check) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('openapi.json differs from the contract: run npm run generate.\n');
  process.exitCode = 1;
}
