import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';

const ERRORS = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8').split('\n');

const endpoints = [contract, ownerContract]
  .flatMap((contracted: Contract) => Object.values(contracted))
  .flatMap((area) => Object.entries(area))
  .map(([name, { metadata }]) => ({ name, refusals: Object.entries(metadata.refusals) }))
  .filter(({ refusals }) => refusals.length > 0);

it.each(endpoints)('docs/errors.md documents the refusals of $name', ({ refusals }) => {
  for (const [code, { status, when }] of refusals)
    expect(ERRORS).toContain(`- **${status}** \`${code}\`. ${when}`);
});
