import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './sdk/run.ts';

/** Prints whether the step succeeds. The process exits with 1 if one fails. */
export async function check(title: string, step: () => Promise<unknown>): Promise<void> {
  const started = Date.now();
  try {
    await step();
    process.stdout.write(`ok    ${title} (${Date.now() - started} ms)\n`);
  } catch (error) {
    process.stdout.write(`FAIL  ${title}\n${String(error)}\n`);
    process.exitCode = 1;
  }
}

export async function installPackages(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await run('npm', ['ci'], folder);
}
