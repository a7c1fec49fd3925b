import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EXPIRING_TABLES } from '#db/queries/expired-rows.ts';
import { ALL_FEATURES, createReact } from '#server/features/call-features.ts';
import type { Services } from '#server/features/services.ts';
import { settingNameOf } from '#server/platform/settings/feature-settings.ts';

it('every feature that declares something is in the list', async () => {
  const files = await readdir('server/features', { recursive: true });
  expect(ALL_FEATURES).toHaveLength(files.filter((file) => file.endsWith('/feature.ts')).length);
});

it.each([
  ['job', ALL_FEATURES.flatMap(({ jobs = [] }) => jobs)],
  ['mail', ALL_FEATURES.flatMap(({ mails = [] }) => mails)],
] as const)('no two features declare a %s of the same kind', (_what, declared) => {
  const kinds = declared.map(({ kind }) => kind);
  expect(kinds.filter((kind, index) => kinds.indexOf(kind) !== index)).toEqual([]);
});

it('every table whose rows expire belongs to one feature', () => {
  const declared = ALL_FEATURES.flatMap(({ expiring = [] }) => expiring);
  expect(declared.toSorted()).toEqual(EXPIRING_TABLES.toSorted());
});

it('a feature that has a service comes after those whose services that needs', () => {
  const misplaced = ALL_FEATURES.flatMap(({ name, service, needs = [] }, index) =>
    service
      ? needs
          .filter(
            (needed) =>
              needed.service &&
              ALL_FEATURES.findIndex((other) => other.name === needed.name) > index,
          )
          .map((needed) => `${name} needs ${needed.name}`)
      : [],
  );
  expect(misplaced).toEqual([]);
});

const OPTIONAL = ALL_FEATURES.filter(({ optional }) => optional);

it('docs/features.md lists the optional features, and what they need', async () => {
  const text = await readFile('docs/features.md', 'utf8');
  const rows = text.split('\n').filter((line) => /^\| [a-z]/.test(line));
  const listed = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const optional = OPTIONAL.map(({ name, needs = [] }) => {
    const own = needs
      .filter((needed) => needed.optional)
      .map((needed) => settingNameOf(needed.name));
    return [settingNameOf(name), own.join(', ')];
  });
  expect(listed.map(([, name, , needs]) => [name, needs])).toEqual(optional.toSorted());
});

it('jobs of optional features declare what happens to them while it is off', () => {
  const undeclared = OPTIONAL.flatMap(({ jobs = [] }) => jobs).filter((job) => !job.whenOff);
  expect(undeclared).toEqual([]);
});

it('a fact reaches the features in the order of their list, which is that of locks', async () => {
  const reached: string[] = [];
  const list = ['accounts', 'addresses', 'forwarding'].map((name) => ({
    reactions: { accountSuspended: async () => void reached.push(name) },
  }));
  const react = createReact({ features: { list } } as unknown as Services);
  await react(undefined as never, 'accountSuspended', { accountId: '' });
  expect(reached).toEqual(['accounts', 'addresses', 'forwarding']);
});
