import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as {
  packages: Record<string, { integrity?: string; link?: boolean }>;
};

it('the lock file has an integrity hash for every package', () => {
  const withoutIntegrity = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity,
  );
  expect(withoutIntegrity).toEqual([]);
});

it('Node.js is a package with an integrity hash and without an install script', () => {
  const path = realpathSync(process.execPath).slice(fileURLToPath(ROOT).length);
  const nodePackage = packages[path.replace(/\/bin\/node$/, '')];
  expect(nodePackage).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
  expect(nodePackage).not.toHaveProperty('hasInstallScript');
});

it('our only install script links binaries and runs nothing else', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(
    Object.entries(scripts).filter(([name]) => /^(pre|post)?(install|prepare)$/.test(name)),
  ).toEqual([['postinstall', 'npm rebuild --ignore-scripts --silent']]);
});
