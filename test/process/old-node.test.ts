import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import clientJson from '../../client/package.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { childEnvironment } from '../support/child-environment.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Commands that run the first `node` on PATH, which may be too old.
const NODE_COMMANDS = [
  ['.', `node ${packageJson.bin.nameplate} --version`],
  ['.', packageJson.scripts.start.replace('exec ', '')],
  ['client', clientJson.scripts.build],
] as const;

it.each(NODE_COMMANDS)(
  'a Node.js without TypeScript support gets one message: in %s, %s',
  (folder, command) => {
    const args = command.split(' ').slice(1);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', ...args],
      { cwd: `${ROOT}${folder}`, env: childEnvironment({}), encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Nameplate needs Node 24 or newer. `npm ci` installs it, unless optional packages or scripts are disabled.\n',
    });
  },
);

const SYSTEM_NODE = '/usr/bin/node';
const systemVersion = existsSync(SYSTEM_NODE)
  ? spawnSync(SYSTEM_NODE, ['--version'], { encoding: 'utf8' }).stdout
  : '';

it.skipIf(!/^v(?:18|20|22)\./.test(systemVersion))(
  'commands use the bundled Node.js if the installed one is too old',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nameplate-path-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await symlink(join(ROOT, packageJson.bin.nameplate), join(folder, 'nameplate'));
    const PATH = `${folder}:${dirname(SYSTEM_NODE)}:/bin`;
    const script = 'nameplate --version; nameplate nonsense 2>/dev/null; echo $?';
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
      env: { ...childEnvironment({}), PATH },
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({
      stdout: `${packageJson.version}\n2\n`,
      stderr: '',
    });
  },
);

it.each(NODE_COMMANDS)(
  'a newer Node.js that runs npm replaces the bundled one: in %s, %s',
  async (folder, command) => {
    const ownFolder = await mkdtemp(join(tmpdir(), 'nameplate-node-'));
    onTestFinished(() => rm(ownFolder, { recursive: true }));
    const ownNode = join(ownFolder, 'node');
    await writeFile(ownNode, '#!/bin/sh\necho "own: $*"\n', { mode: 0o755 });
    const args = command.split(' ').slice(1);
    const run = (version: string, npm_node_execpath: string) =>
      spawnSync(process.execPath, ['--no-experimental-strip-types', ...args], {
        cwd: `${ROOT}${folder}`,
        env: {
          ...childEnvironment({}),
          npm_node_execpath,
          npm_config_user_agent: `npm/11.6.2 node/v${version} linux x64 workspaces/false`,
        },
        encoding: 'utf8',
      });
    const { status, stdout, stderr } = run('26.1.0', ownNode);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const file = args.findLast((arg) => /\.[jt]s$/.test(arg))!;
    expect(stdout).toMatch(/^own: --no-experimental-strip-types .*\n$/);
    expect(stdout).toContain(join(ROOT, folder, file));
    expect(run('22.23.0', ownNode).stdout).not.toContain('own:');
    expect(run('26.1.0', process.execPath).stdout).not.toContain('own:');
  },
);
