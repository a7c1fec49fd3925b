import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { DEPRECATIONS } from '#contract/deprecations.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';

const operations = [contract, ownerContract].flatMap((areas) =>
  Object.entries(areas as Contract).flatMap(([area, routes]) =>
    Object.keys(routes).map((name) => ({ area, name })),
  ),
);
const toKebabCase = (name: string) => name.replaceAll(/[A-Z]/g, '-$&').toLowerCase();
const verbs = [...new Set(operations.map(({ name }) => /^[a-z]+/.exec(name)![0]))].join('|');
const areas = [...new Set(operations.map(({ area }) => area))].join('|');
const KNOWN = new Set([
  ...operations.flatMap(({ area, name }) => [
    ...[`${area}.${name}`, toKebabCase(name), `/owner/${area}/${toKebabCase(name)}`],
  ]),
  ...DEPRECATIONS.flatMap(({ names = [] }) => names),
  // Commands, files, a package and a limit.
  ...['forwarding.listAliases', 'forwarding.syncAliases', 'page.json', 'server.pem', 'server.key'],
  ...['close-with-grace', 'upload-bytes'],
]);
const NAMES = [
  /\/owner\/[a-z]+\/[a-z][a-z-]+[a-z]/g,
  new RegExp(`(?<=\`|nameplate )(?:${areas})\\.[a-z][a-zA-Z]+`, 'g'),
  new RegExp(`(?<=\`)(?:${verbs})(?:-[a-z]+)+(?=\`)`, 'g'),
];

it.each([
  ...['README.md', 'client/README.md', 'CONTRIBUTING.md', 'translations/de.json'],
  ...globSync(['docs/**/*.md', 'contract/**/*.ts']),
])('%s names only operations that exist or were announced to be removed', (file) => {
  const text = readFileSync(file, 'utf8');
  const names = NAMES.flatMap((pattern) => text.match(pattern) ?? []);
  expect(names.filter((name) => !KNOWN.has(name))).toEqual([]);
});
