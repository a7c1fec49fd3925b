import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const HELP = `Usage: npm run test:previous -- [REF]

Runs the endpoint tests and code of the previous release on the database schema of this commit,
because servers of both versions run side by side during a rolling update.

  REF  the commit to test instead of the latest release before this commit
`;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const ref = positionals[0] ?? (await findPreviousRelease());
if (ref === undefined) {
  printMessage('There is no release before this commit, so there is nothing to test.');
  process.exit(0);
}
const folder = await mkdtemp(join(tmpdir(), 'nameplate-previous-'));
try {
  printMessage(`The endpoint tests of ${ref} run on the schema of this commit.`);
  await unpack(ref);
  await writeFile(join(folder, 'previous.config.ts'), createConfig());
  await run('npm', 'ci', '--no-audit', '--no-fund');
  await run('npx', 'vitest', 'run', '--config', 'previous.config.ts');
} catch (error) {
  printMessage(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function findPreviousRelease(): Promise<string | undefined> {
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  const { stdout } = await promisify(execFile)(
    'git',
    ['tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD', '--no-contains', 'HEAD'],
    { cwd: ROOT },
  );
  return stdout.split('\n')[0] || undefined;
}

async function unpack(commit: string): Promise<void> {
  const archive = join(folder, 'source.tar');
  await promisify(execFile)('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  await run('tar', '-xf', archive);
}

/**
 * Returns a Vitest configuration that runs the release's endpoint tests and code on a PostgreSQL
 * server that this commit starts and migrates.
 */
function createConfig(): string {
  const setup = join(ROOT, 'test/support/postgres-setup.ts');
  return `import { defineConfig } from 'vitest/config';
import releaseConfig from './vitest.config.ts';

const { projects, ...test } = releaseConfig.test;
export default defineConfig({
  test: {
    ...test,
    // Retries flaky tests of the release. A test that the schema breaks fails every time.
    retry: 2,
    include: ['test/endpoints/*.test.ts'],
    globalSetup: [${JSON.stringify(setup)}],
  },
});
`;
}

/** Runs a command in the release's folder. */
async function run(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args[0]} failed in the source of ${ref}.`);
}

function printMessage(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
