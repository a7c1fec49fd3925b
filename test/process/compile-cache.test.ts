import { execFile } from 'node:child_process';
import { chown, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/server-process.ts';

const SHOW = `import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir() ?? 'none')`;

let project = '';

beforeEach(async () => {
  project = await temporaryFolder();
  await cp('scripts/compile-cache.js', join(project, 'scripts', 'compile-cache.js'));
});

/** Where a program of the project keeps what was compiled. */
async function keptIn(): Promise<string> {
  const script = join(project, 'scripts', 'compile-cache.js');
  const args = ['--import', script, '--input-type=module', '--eval', SHOW];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return stdout.trim();
}

it('what was compiled is kept among the packages', async () => {
  await mkdir(join(project, 'node_modules'));
  expect(await keptIn()).toContain(join(project, 'node_modules', '.cache', 'compiled'));
});

it('nothing is kept in, or taken from, a folder of somebody else', async () => {
  const packages = join(project, 'node_modules');
  // Only root can give a folder away; anybody else finds one of root's.
  if (process.getuid?.() === 0) {
    await mkdir(packages);
    await chown(packages, 65_534, 65_534);
  } else await symlink('/', packages);
  expect(await keptIn()).toBe('none');
});

it('nothing is kept where the packages are elsewhere', async () => {
  expect(await keptIn()).toBe('none');
});
