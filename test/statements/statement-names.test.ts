import { expect, it } from 'vitest';
import { nameStatement, summarize } from '#db/connections/statements.ts';

it.each([
  ['select "bio" from "sites" where "account_id" = $1', 'select sites'],
  [
    'SELECT found.* FROM unnest($1) AS wanted (key), LATERAL (SELECT FROM api_keys)',
    'select api_keys',
  ],
  ['select 1', 'select'],
  ['insert into "metrics" ("payload") values ($1)', 'insert metrics'],
  ['update "forwarding_settings" set "name" = $1 from "accounts"', 'update forwarding_settings'],
  ['delete from "blocks" where "id" = $1', 'delete blocks'],
  ['\n    WITH claimed AS (INSERT INTO x VALUES ($1)) SELECT FROM claimed', 'with claimed'],
  ['commit', 'commit'],
  ['savepoint nested', 'savepoint'],
])('%j is summarized as %j', (text, summary) => {
  expect(summarize(text)).toBe(summary);
});

it('prepared statements have readable, unique names that are not truncated', () => {
  const texts = ['a', 'b'].flatMap((column) =>
    ['t', 'x'.repeat(100)].map((table) => `select "${column}" from "${table}" where "id" = $1`),
  );
  const names = texts.map(nameStatement);
  expect(new Set(names).size).toBe(texts.length);
  for (const name of names) {
    expect(name).toMatch(/^select (?:t|x+) [\w-]{24}$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  }
});
