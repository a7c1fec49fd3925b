import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEPRECATED_IN, DEPRECATIONS } from '../contract/deprecations.ts';

const HELP = `Usage: npm run release -- [VERSION] [--tag] [--out FOLDER]

Prepares a release from the last commit in a temporary copy. Sets the versions, dates the changelog,
and writes an archive of the service, the packed SDK, an SBOM, a provenance statement and checksums
to a folder. Nothing else changes, and nothing is pushed.

  VERSION       such as 0.2.0 (default: the version of package.json)
  --tag         also add the commit to the current branch and tag it vVERSION
  --out FOLDER  output folder: new, empty, or with an earlier release (default: release)
`;

const CHECKSUM_FILE = 'SHA256SUMS';

/** Files that mention the version, except package files and generated files. */
const FILES_WITH_VERSION = ['client/README.md', 'docs/public-instance.md'];

const { values: options, positionals } = parseArgs({
  options: {
    tag: { type: 'boolean', default: false },
    out: { type: 'string', default: 'release' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
// The SDK contains the modes of its files.
process.umask(0o022);
if (options.help) process.stdout.write(HELP);
else
  try {
    release(positionals[0] ?? readVersion('.'), resolve(options.out));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }

/** If the release cannot be built, throws without changing `out` or the current branch. */
function release(version: string, out: string): void {
  const tag = `v${version}`;
  requireReleasable(version, tag);
  const previousFiles = listReleaseFiles(out);
  const tempDir = mkdtempSync(join(tmpdir(), 'nameplate-release-'));
  // `npm sbom` names the service after this folder.
  const worktree = join(tempDir, 'nameplate');
  try {
    git('worktree', 'add', '--quiet', '--detach', worktree, 'HEAD');
    try {
      const date = git('log', '-1', '--format=%cI');
      const commit = commitVersion(worktree, version, date);
      const stagingDir = join(tempDir, 'packed');
      writeArtifacts(worktree, stagingDir, { version, date });
      writeProvenanceAndChecksums(stagingDir, version, commit);
      for (const file of previousFiles) rmSync(join(out, file));
      cpSync(stagingDir, out, { recursive: true });
      print(`${out} has ${readdirSync(out).join(', ')}.`);
      if (options.tag) {
        git('merge', '--quiet', '--ff-only', commit);
        git('tag', '--annotate', '--message', `Nameplate ${version}`, tag, commit);
        print(`The tag ${tag} is on the current branch. To publish it: git push --follow-tags`);
        print(`To undo it before that: git tag --delete ${tag} && git reset --keep HEAD~1`);
      } else print(`Nothing was committed. To commit and tag ${tag}, add --tag.`);
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', worktree], { stdio: 'ignore' });
    }
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

function requireReleasable(version: string, tag: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    throw new Error(`${version} is not a version such as 0.2.0.`);
  if (git('status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed. Commit or stash them first.');
  if (git('tag', '--list', tag) !== '')
    throw new Error(`${tag} is released already. Name the next version.`);
  const unreleased = /^## \[Unreleased\]\n([^]*?)(?=^## \[|(?![^]))/m.exec(readChangelog('.'))?.[1];
  if (!/^- /m.test(unreleased ?? ''))
    throw new Error('CHANGELOG.md has nothing under "Unreleased". Write what is new there first.');
  for (const { what } of version === DEPRECATED_IN ? DEPRECATIONS : [])
    if (!unreleased!.includes(what))
      throw new Error(`CHANGELOG.md does not say under "Unreleased" what is deprecated: ${what}.`);
}

/** Throws if the folder contains anything but an earlier release. */
function listReleaseFiles(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const checksums = files.includes(CHECKSUM_FILE)
    ? readFileSync(join(folder, CHECKSUM_FILE), 'utf8')
    : '';
  const releaseFiles = new Set([
    CHECKSUM_FILE,
    ...checksums.split('\n').map((line) => line.replace(/^\w+ {2}/, '')),
  ]);
  const unknownFile = files.find((file) => !releaseFiles.has(file));
  if (unknownFile !== undefined)
    throw new Error(
      `${folder} contains ${unknownFile}, which is not part of a release. Name another folder.`,
    );
  return files;
}

/**
 * Commits the new version in the worktree and returns its hash. The commit has the date and the author
 * of the last one, so that every copy of the repository produces the same files.
 */
function commitVersion(worktree: string, version: string, date: string): string {
  const oldVersion = readVersion(worktree);
  const versionArgs = ['version', version, '--no-git-tag-version', '--allow-same-version'];
  for (const folder of [worktree, join(worktree, 'client')]) run(folder, 'npm', ...versionArgs);
  for (const file of FILES_WITH_VERSION) {
    const path = join(worktree, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(oldVersion, version));
  }
  for (const folder of [worktree, join(worktree, 'client')])
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      readChangelog(folder).replace(
        '## [Unreleased]\n',
        `## [Unreleased]\n\n## [${version}] - ${date.slice(0, 10)}\n`,
      ),
    );
  const migrations = Object.fromEntries(computeChecksums(join(worktree, 'db/migrations')));
  writeFileSync(
    join(worktree, 'db/released-migrations.json'),
    `${JSON.stringify(migrations, undefined, 2)}\n`,
  );
  symlinkSync(resolve('node_modules'), join(worktree, 'node_modules'));
  run(worktree, 'npm', 'run', '--silent', 'generate');
  const [name, email] = git('log', '-1', '--format=%an%n%ae').split('\n');
  for (const [field, value] of Object.entries({ NAME: name, EMAIL: email, DATE: date }))
    process.env[`GIT_AUTHOR_${field}`] = process.env[`GIT_COMMITTER_${field}`] = value;
  git('-C', worktree, 'commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  return git('-C', worktree, 'rev-parse', 'HEAD');
}

function writeArtifacts(
  worktree: string,
  out: string,
  { version, date }: { version: string; date: string },
): void {
  const name = `nameplate-${version}`;
  mkdirSync(out);
  const archive = join(out, `${name}.tar.gz`);
  git('-C', worktree, 'archive', `--prefix=${name}/`, `--output=${archive}`, 'HEAD');
  run(join(worktree, 'client'), 'npm', 'pack', '--silent', '--pack-destination', out);
  const sbomArgs = ['--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
  const { serialNumber: _, ...sbom } = JSON.parse(run(worktree, 'npm', 'sbom', ...sbomArgs)) as {
    serialNumber: string;
    metadata: { timestamp: string };
  };
  sbom.metadata.timestamp = date;
  writeFileSync(join(out, `${name}.cdx.json`), JSON.stringify(sbom, undefined, 2));
}

/** Writes the checksums, and an unsigned in-toto statement that maps the files to the commit. */
function writeProvenanceAndChecksums(out: string, version: string, commit: string): void {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: computeChecksums(out).map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://in-toto.io/attestation/link/v0.3',
    predicate: {
      name: 'release',
      command: ['npm', 'run', 'release', '--', version],
      materials: [{ name: `v${version}`, digest: { gitCommit: commit } }],
      byproducts: {},
      environment: { node: process.version, npm: run('.', 'npm', '--version').trim() },
    },
  };
  const text = `${JSON.stringify(statement, undefined, 2)}\n`;
  writeFileSync(join(out, `nameplate-${version}.intoto.json`), text);
  const lines = computeChecksums(out).map(([name, sha256]) => `${sha256}  ${name}\n`);
  writeFileSync(join(out, CHECKSUM_FILE), lines.join(''));
}

function computeChecksums(folder: string): [name: string, sha256: string][] {
  return readdirSync(folder).map((name) => [
    name,
    hash('sha256', readFileSync(join(folder, name))),
  ]);
}

function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function readChangelog(folder: string): string {
  return readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
}

function git(...args: string[]): string {
  return run('.', 'git', ...args).trim();
}

/** Returns standard output. Standard error goes to the terminal. */
function run(cwd: string, program: string, ...args: string[]): string {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return execFileSync(program, args, { cwd, stdio, encoding: 'utf8', maxBuffer: 100_000_000 });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
