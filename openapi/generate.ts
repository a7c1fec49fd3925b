import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DOCUMENTS, serializeDocument } from './document.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

for (const [name, build] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = await serializeDocument(build);
  if (!values.check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} differs from the contract: run npm run generate.\n`);
    process.exitCode = 1;
  }
}
