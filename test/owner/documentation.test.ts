import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../contract/area.ts';
import { contract } from '../../contract/index.ts';
import { ownerContract } from '../../contract/owner/index.ts';

const endpointsOf = (contracted: Contract) =>
  Object.values(contracted).flatMap((area) => Object.values(area));

function read(page: string): string {
  return readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
}

it('docs/login.md has every endpoint of the owner contract in its table, and no other', () => {
  const listed = [...read('login.md').matchAll(/^\| `((?:GET|POST) \/owner\/\S+)`/gm)];
  const endpoints = endpointsOf(ownerContract).map(({ method, path }) => `${method} ${path}`);
  expect(listed.map(([, endpoint]) => endpoint).toSorted()).toEqual(endpoints.toSorted());
});

describe('docs/errors.md', () => {
  const sections = new Map(
    read('errors.md')
      .split('\n## ')
      .map((section) => [section.split('\n', 1)[0]!, section]),
  );

  it.each([...endpointsOf(contract), ...endpointsOf(ownerContract)])(
    'says why $method $path refuses',
    ({ method, path, metadata }) => {
      const section = sections.get(`\`${method} ${path}\``);
      const { internalError } = metadata.shared;
      for (const [code, { status, sentence }] of Object.entries({
        ...metadata.refusals,
        internalError,
      })) {
        expect(section).toContain(`- **${status}** \`${code}\`. `);
        expect(section).toContain(`\`${sentence}\``);
      }
    },
  );
});
