import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as {
  packages: Record<string, { integrity?: string; link?: boolean }>;
};

it('the lock file has an integrity hash for every package', () => {
  const unproven = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity,
  );
  expect(unproven).toEqual([]);
});

it('the lock file has an integrity hash for Node.js, which no install script downloads', () => {
  const path = realpathSync(process.execPath).slice(fileURLToPath(ROOT).length);
  const from = packages[path.replace(/\/bin\/node$/, '')];
  expect(from).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
  expect(from).not.toHaveProperty('hasInstallScript');
});

it('our only install script links programs and runs nothing else', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(
    Object.entries(scripts).filter(([name]) => /^(pre|post)?(install|prepare)$/.test(name)),
  ).toEqual([['postinstall', 'npm rebuild --ignore-scripts --silent']]);
});
