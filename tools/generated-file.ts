import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FORMATTER = fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url));

/** Writes a generated file. With the argument `--check`, only fails if the file differs. */
export function writeGenerated(url: URL, content: string | Buffer): void {
  const file = fileURLToPath(url);
  if (!process.argv.includes('--check')) return writeFileSync(file, content);
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  process.stderr.write(`${relative(ROOT, file)} is not up to date: run npm run generate.\n`);
  process.exitCode = 1;
}

export function formatGenerated(url: URL, text: string): string {
  return execFileSync(FORMATTER, [`--stdin-filepath=${fileURLToPath(url)}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
}
