import { execFile } from 'node:child_process';
import { chown, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';

const SHOW = `import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir() ?? 'none')`;

let project = '';

beforeEach(async () => {
  project = await createTempFolder();
  await cp('scripts/compile-cache.js', join(project, 'scripts', 'compile-cache.js'));
});

/** Folder in which a program of the project stores its compile cache. */
async function cacheFolder(): Promise<string> {
  const script = join(project, 'scripts', 'compile-cache.js');
  const args = ['--import', script, '--input-type=module', '--eval', SHOW];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return stdout.trim();
}

it('the compile cache is stored in node_modules', async () => {
  await mkdir(join(project, 'node_modules'));
  expect(await cacheFolder()).toContain(join(project, 'node_modules', '.cache', 'compiled'));
});

it('the compile cache is not used if another user owns the folder', async () => {
  const packages = join(project, 'node_modules');
  // Only root can change a folder's owner. Other users test a folder that root owns.
  if (process.getuid?.() === 0) {
    await mkdir(packages);
    await chown(packages, 65_534, 65_534);
  } else await symlink('/', packages);
  expect(await cacheFolder()).toBe('none');
});

it('there is no compile cache if the packages are installed elsewhere', async () => {
  expect(await cacheFolder()).toBe('none');
});
