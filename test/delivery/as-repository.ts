import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Author of the commits that tests make, as environment variables of git. */
export const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@nameplate.example' },
  ...{ GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@nameplate.example' },
};

/** This tree as it is, also where it is no repository, as the one commit of a bare repository. */
export async function asRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-origin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const git = (...args: string[]) =>
    run('git', [`--git-dir=${folder}`, '--work-tree=.', '-c', 'core.bare=false', ...args], {
      env: { ...process.env, ...AUTHOR },
    });
  await run('git', ['init', '--quiet', '--bare', folder]);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'test');
  return folder;
}
