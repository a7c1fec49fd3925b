import { execFile } from 'node:child_process';
import { chown, cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';

const PRINT_CACHE_DIR = `import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir() ?? 'none')`;

it('the compile cache is stored in node_modules, unless another user owns the folder', async () => {
  const projectDir = await createTempFolder();
  const script = join(projectDir, 'tools', 'compile-cache.js');
  await cp('tools/compile-cache.js', script);
  /** Runs Node.js in the project. Returns its compile cache folder, or `none`. */
  const findCacheDir = async () => {
    const args = ['--import', script, '--input-type=module', '--eval', PRINT_CACHE_DIR];
    return (await promisify(execFile)(process.execPath, args, { env: {} })).stdout.trim();
  };
  expect(await findCacheDir()).toBe('none');
  const nodeModules = join(projectDir, 'node_modules');
  await mkdir(nodeModules);
  expect(await findCacheDir()).toContain(join(nodeModules, '.cache', 'compiled'));
  // Only root can change the owner. Other users link to `/`, which root owns.
  if (process.getuid?.() === 0) await chown(nodeModules, 65_534, 65_534);
  else {
    await rm(nodeModules, { recursive: true });
    await symlink('/', nodeModules);
  }
  expect(await findCacheDir()).toBe('none');
});
