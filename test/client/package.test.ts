import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { themes } from '#client/index.ts';
import type { Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { bundle, MAX_CLIENT_BYTES, sizeOf } from '../../client/size.ts';

function read(name: string): string {
  return readFileSync(new URL(`../../client/${name}`, import.meta.url), 'utf8');
}

it('the package is tree-shakable: unused exports are not bundled', async () => {
  expect(await bundle('{ MetricsBuffer }')).not.toContain('dangerouslyAllowBrowser');
  expect(await bundle('{ Nameplate }')).not.toContain('a metric was dropped');
  expect(await bundle('{ Nameplate }')).not.toContain(themes.paper);
  expect(await sizeOf('{ VERSION }')).toBeLessThan(100);
});

it('the package keeps class names in errors and logs when minified', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../client/src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  expect(outputFiles[0]!.text).not.toContain('_Nameplate');
});

it('the package has no dependencies and declares no side effects', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: '@nameplate/client', sideEffects: false });
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  expect(read('src/generated/version.ts')).toContain(`'${String(manifest['version'])}'`);
});

it.each([
  ['index', MAX_CLIENT_BYTES, (size: string) => `${size} minified and gzipped`],
  ['owner', 7_168, (size: string) => `second entry point (${size})`],
  ['webhooks', 1_152, (size: string) => `third entry point (${size})`],
] as const)(
  'the entry point %s has at most %i bytes gzipped, as documented',
  async (entry, max, text) => {
    const size = await sizeOf('*', entry);
    expect(size).toBeLessThanOrEqual(max);
    expect(read('README.md')).toContain(text(`${(size / 1_024).toFixed(1)} KB`));
  },
);

it('the owner entry point does not bundle the main one, so that both share the same classes', async () => {
  const text = await bundle('*', 'owner');
  expect(text).not.toContain('NAMEPLATE_');
  expect(text).not.toContain('APIError');
});

it('the generated source documents every operation, every parameter, every type and every field', () => {
  const lines = read('src/generated/operations.ts').split('\n');
  const undocumented = lines.filter((line, index) => {
    const isDeclaration = /^export |^ {2,}(readonly )?\w+\??: |^ {2}(?!constructor)\w+\(/.test(
      line,
    );
    const isParameter = /^ {4}(body|options\??): /.test(line);
    const isConstant = /: '\w+';$/.test(line);
    const previous = lines[index - 1]?.trim() ?? '';
    return isDeclaration && !isParameter && !isConstant && !previous.endsWith('*/');
  });
  expect(undocumented).toEqual([]);
});

it('the generated source documents the own errors of every operation in one line', () => {
  const source = read('src/generated/operations.ts');
  const withOwnErrors = Object.values(contract)
    .flatMap((routes): Route[] => Object.values(routes))
    .filter(({ metadata }) => Object.keys(metadata.refusals).length > 0);
  expect(source.match(/@throws \d{3} .*: see `\w+ErrorCode`\.$/gm)).toHaveLength(
    withOwnErrors.length,
  );
  expect(source).toContain('409 `displayNameReserved`, `displayNameTaken`');
  expect(source).toContain('/** Site description. At most 4,000 characters. Example: `');
});
