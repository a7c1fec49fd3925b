import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import releases from '../../releases.json' with { type: 'json' };
import startPostgres from '../support/postgres-setup.ts';

/** Unpacks the newest release before this commit, if the repository has it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stopPostgres = await startPostgres(project);
  const [version, commit] = Object.entries(releases).at(-1)!;
  if (runGit('cat-file', '-t', commit) !== 'commit') {
    await stopPostgres();
    const problem = `Not compared with ${version}: this checkout has no commit ${commit}. Run git fetch --unshallow, or clone the repository.`;
    if (process.env['CI'] === 'true') throw new Error(problem);
    console.warn(problem);
    return () => Promise.resolve();
  }
  console.warn(`Release ${version} (${commit}) is compared with this checkout.`);
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-previous-'));
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 200_000_000 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  if (readLock(folder) === readLock('.'))
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  project.provide('releaseFolder', folder);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await stopPostgres();
  };
}

/** Returns the output, or undefined if the command fails, such as in a folder without git. */
function runGit(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

const readLock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
