import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Environment variables that set the author and committer of test commits. */
export const COMMIT_AUTHOR_ENV = {
  ...{ GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@nameplate.example' },
  ...{ GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@nameplate.example' },
};

/**
 * Creates a bare repository with one commit that contains the working tree. The working tree itself
 * does not have to be a repository.
 */
export async function createRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-origin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const git = (...args: string[]) =>
    run('git', [`--git-dir=${folder}`, '--work-tree=.', '-c', 'core.bare=false', ...args], {
      env: { ...process.env, ...COMMIT_AUTHOR_ENV },
    });
  await run('git', ['init', '--quiet', '--bare', folder]);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'test');
  return folder;
}
