import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every screen that a folder declares is in the list', () => {
  const declared = globSync('dashboard/screens/*/screen.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export const (\w+): Screen = /gm)].map(
      ([, name]) => name!,
    ),
  );
  const [, list = ''] = readFileSync('dashboard/screens/screens.ts', 'utf8').split('= [');
  expect(declared.length).toBeGreaterThan(15);
  expect(list.match(/\w+/g)?.toSorted()).toEqual(declared.toSorted());
});
