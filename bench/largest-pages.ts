import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { upsertBlocks } from '../db/queries/sites/blocks.ts';
import type { Database } from '../db/schema.ts';
import { measureOnce } from './measure.ts';
import type { Running } from './processes.ts';

/** Visits before it counts, and those that are counted. */
const [WARM_UP, VISITS] = [60, 48];

/** Number of the largest blocks that come close to all that a site can hold. */
const BLOCKS = 90;
const CHARACTERS = 10_000;

const WORDS = Array.from({ length: 2_000 }, (_, at) => ((at * 7_919) % 9_973).toString(36)).join(
  ' ',
);

/** Texts of the blocks of such sites: at the beginning what takes long, up to what a page renders of it. */
const TEXTS: Record<string, readonly [type: string, text: string]> = {
  words: ['code', WORDS],
  'quotation marks': ['text', '"'],
  'Markdown, all of it': [
    'text',
    '*a* **b** [c](https://example.com/) `d` https://example.org/e\n- f\n',
  ],
  links: ['text', 'An address in a long text, of which there is a lot: https://example.com/a '],
};

/** How many sites it fills. */
export const LARGEST = Object.keys(TEXTS).length * (WARM_UP + VISITS);

/** Measures first visits of the largest pages: of the sites after a number. */
export async function visitLargest(
  db: Kysely<Database>,
  service: Running,
  { others, after }: { others: readonly { accountId: string }[]; after: number },
): Promise<object[]> {
  const rows = [];
  let from = after;
  for (const [title, [type, text]] of Object.entries(TEXTS)) {
    const ids = others.slice(from, from + WARM_UP + VISITS).map(({ accountId }) => accountId);
    await fill(db, ids, {
      type,
      content: text.repeat(CHARACTERS / text.length + 1).slice(0, CHARACTERS),
    });
    let next = from;
    const load = {
      title,
      path: '/',
      connections: 1,
      headers: { 'accept-encoding': 'br' },
      vary: () => ({ path: `/@other-${next++}` }),
    };
    await measureOnce(service, load, WARM_UP);
    const { p50, cpu } = await measureOnce(service, load, VISITS);
    rows.push({
      'largest page of': title,
      'p50 ms': p50,
      'cpu ms': Number((cpu / 1_000).toFixed(1)),
    });
    from += ids.length;
  }
  return rows;
}

async function fill(
  db: Kysely<Database>,
  ids: readonly string[],
  block: { type: string; content: string },
): Promise<void> {
  const [first, ...others] = ids;
  const blocks = Array.from({ length: BLOCKS }, () => ({
    id: randomUUID(),
    enabled: true,
    ...block,
  }));
  await db.transaction().execute(async (trx) => {
    await sql`DELETE FROM blocks
      WHERE account_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::json)::uuid)`.execute(
      trx,
    );
    await upsertBlocks(trx, first!, blocks);
    await sql`INSERT INTO blocks (account_id, id, position, type, enabled, content, fields)
      SELECT account::uuid, id, position, type, enabled, content, fields
      FROM blocks, json_array_elements_text(${JSON.stringify(others)}::json) AS other (account)
      WHERE account_id = ${first!}::uuid`.execute(trx);
  });
}
