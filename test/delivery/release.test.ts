import { execFile } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createTempFolder } from '../support/server-process.ts';
import { COMMIT_AUTHOR_ENV, createRepository } from './create-repository.ts';

const run = promisify(execFile);

/** Three releases, each of which generates and packs everything. */
const RELEASES_TIMEOUT_MS = 1_200_000;

/** Clones this repository into a new folder. */
async function clone() {
  const folder = await createTempFolder();
  await run('git', ['clone', '--quiet', await createRepository(), folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  // `.gitignore` matches the folder but not a symbolic link with that name.
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n');
  const runInClone = async (program: string, ...args: string[]) => {
    const { stdout } = await run(program, args, {
      cwd: folder,
      env: { ...process.env, ...COMMIT_AUTHOR_ENV },
    });
    return stdout.trim();
  };
  // A release needs something new.
  const changelog = join(folder, 'CHANGELOG.md');
  const text = await readFile(changelog, 'utf8');
  await writeFile(changelog, text.replace('[Unreleased]\n', '[Unreleased]\n\n- Something new.\n'));
  await runInClone('git', 'commit', '--quiet', '--all', '--message', 'something new');
  return {
    folder,
    runInClone,
    release: (...args: string[]) => runInClone('node', 'tools/release.ts', ...args),
    /** As another user, who keeps files private. */
    releaseElsewhere: (...args: string[]) => {
      const script = 'umask 077; GIT_COMMITTER_NAME=jane exec node tools/release.ts "$@"';
      return runInClone('sh', '-c', script, 'sh', ...args);
    },
  };
}

it(
  'a release is prepared without changes, tagged on request, and can be reverted; its folder is emptied only if it contains just an earlier release',
  async () => {
    const { folder, runInClone, release, releaseElsewhere } = await clone();
    const before = await runInClone('git', 'rev-parse', 'HEAD');
    await release('9.8.7');
    expect(await runInClone('git', 'rev-parse', 'HEAD')).toBe(before);
    expect(await runInClone('git', 'tag')).toBe('');
    expect(await runInClone('git', 'status', '--porcelain')).toBe('');
    const outputFolder = await createTempFolder();
    for (const file of ['thesis.txt', 'SHA256SUMS']) {
      await writeFile(join(outputFolder, file), `${'0'.repeat(64)}  nameplate-9.8.6.tar.gz\n`);
      await expect(release('9.8.7', '--out', outputFolder)).rejects.toThrow(
        'thesis.txt, which is not part of a release',
      );
    }
    expect(await readdir(outputFolder)).toEqual(['SHA256SUMS', 'thesis.txt']);

    const readChecksums = () => readFile(join(folder, 'release/SHA256SUMS'), 'utf8');
    const checksums = await readChecksums();
    const output = await releaseElsewhere('9.8.7', '--tag');
    expect(await readChecksums()).toBe(checksums);
    expect(await runInClone('git', 'describe', '--exact-match')).toBe('v9.8.7');
    for (const file of [
      'package.json',
      'client/package.json',
      'openapi.json',
      'client/src/generated/version.ts',
    ])
      expect(await readFile(join(folder, file), 'utf8')).toContain('9.8.7');
    expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d$/m,
    );
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'release') });
    const statement = await readFile(join(folder, 'release/nameplate-9.8.7.intoto.json'), 'utf8');
    const tagged = await runInClone('git', 'rev-parse', 'v9.8.7^{commit}');
    const archiveHash = await runInClone(
      ...['sh', '-c', 'git archive --format=tar.gz --prefix=nameplate-9.8.7/ v9.8.7 | sha256sum'],
    );
    expect(JSON.parse(statement)).toMatchObject({
      predicate: { materials: [{ digest: { gitCommit: tagged } }] },
      subject: expect.arrayContaining([
        { name: 'nameplate-9.8.7.tar.gz', digest: { sha256: archiveHash.slice(0, 64) } },
      ]),
    });
    const sbom = await readFile(join(folder, 'release/nameplate-9.8.7.cdx.json'), 'utf8');
    expect(JSON.parse(sbom)).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'nameplate', version: '9.8.7' } },
    });
    const files = await runInClone('tar', '-tzf', 'release/nameplate-9.8.7.tar.gz');
    for (const file of ['package-lock.json', 'server/main.ts', 'test/lint/lint-rules.test.ts'])
      expect(files.split('\n')).toContain(`nameplate-9.8.7/${file}`);
    const sdk = await runInClone('tar', '-tzf', 'release/nameplate-client-9.8.7.tgz');
    expect(sdk.split('\n')).toContain('package/dist/index.js');

    await expect(release('9.8.7')).rejects.toThrow('v9.8.7 is released already');
    const [, undoCommand] = /^To undo it before that: (.*)$/m.exec(output)!;
    await runInClone('sh', '-c', undoCommand!);
    expect(await runInClone('git', 'rev-parse', 'HEAD')).toBe(before);
    expect(await runInClone('git', 'tag')).toBe('');
  },
  RELEASES_TIMEOUT_MS,
);
