import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import clientJson from '../../client/package.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { environment } from '../support/environment.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// As `npx` and `npm start` do it; what they start with is the Node that is found first.
const STARTS = [
  ['.', `node ${packageJson.bin.nameplate} --version`],
  ['.', packageJson.scripts.start.replace('exec ', '')],
  ['client', clientJson.scripts.build],
] as const;

it.each(STARTS)(
  'a Node that reads no TypeScript is told in one sentence: in %s, %s',
  (folder, command) => {
    const args = command.split(' ').slice(1);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-experimental-strip-types', ...args],
      { cwd: `${ROOT}${folder}`, env: environment({}), encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Nameplate needs Node 24 or newer. `npm ci` brings one unless it is told to omit optional packages or scripts.\n',
    });
  },
);
