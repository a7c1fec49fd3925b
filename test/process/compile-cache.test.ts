import { execFile } from 'node:child_process';
import { chown, cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';

const PRINT_CACHE_DIR = `import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir() ?? 'none')`;

let projectDir = '';

beforeEach(async () => {
  projectDir = await createTempFolder();
  await cp('tools/compile-cache.js', join(projectDir, 'tools', 'compile-cache.js'));
});

/** Runs Node.js in the project. Returns its compile cache folder, or `none`. */
async function findCacheDir(): Promise<string> {
  const script = join(projectDir, 'tools', 'compile-cache.js');
  const args = ['--import', script, '--input-type=module', '--eval', PRINT_CACHE_DIR];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return stdout.trim();
}

it('the compile cache is stored in node_modules', async () => {
  await mkdir(join(projectDir, 'node_modules'));
  expect(await findCacheDir()).toContain(join(projectDir, 'node_modules', '.cache', 'compiled'));
});

it('the compile cache is not used if another user owns the folder', async () => {
  const nodeModules = join(projectDir, 'node_modules');
  // Only root can change the owner. Other users link to `/`, which root owns.
  if (process.getuid?.() === 0) {
    await mkdir(nodeModules);
    await chown(nodeModules, 65_534, 65_534);
  } else await symlink('/', nodeModules);
  expect(await findCacheDir()).toBe('none');
});

it('there is no compile cache if the project has no node_modules', async () => {
  expect(await findCacheDir()).toBe('none');
});
