import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { OtherBlockUpdate } from '#client/index.ts';
import type { BlockUpdate } from '#contract/block.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { findPages, findWholePages } from '#db/queries/public-sites.ts';
import { takeBlocksThatFit } from '#server/features/sites/preview.ts';
import { publishPage } from '../support/publish-page.ts';
import { useServer } from '../support/use-server.ts';

const NAME = 'jane-doe';
const TOO_LONG = 'This page is too long to be shown in full';

const { server, account } = useServer({ account: true });
beforeAll(() => publishPage(account, NAME));

type SentBlock = BlockUpdate;

const updateBlocks = (blocks: SentBlock[]) =>
  account.client.site.updateSiteConfiguration({ blocks: blocks as OtherBlockUpdate[] });
const pageContains = async (textBlock: string, file = '') =>
  (await server.app.inject(`/@${NAME}${file}`)).body.includes(textBlock);

/** Creates a block that counts as exactly `bytes`: its texts, and 11 bytes for `{"note":""}`. */
const textBlock = (bytes: number, fields: Partial<SentBlock> = {}): SentBlock => ({
  type: 'text',
  enabled: true,
  content: 'x'.repeat(Math.min(bytes - 11, 10_000)),
  note: 'y'.repeat(Math.max(bytes - 11 - 10_000, 0)),
  ...fields,
});
/** Creates blocks whose total size is exactly the limit. */
const blocksOfMaxSize = () =>
  Array.from({ length: LIMITS.pageBytes / 12_500 }, () => textBlock(12_500));

it('a site larger than the page limit is shown up to the limit, with a notice; page.json is complete', async () => {
  await updateBlocks(blocksOfMaxSize());
  expect(await pageContains(TOO_LONG)).toBe(false);
  await updateBlocks([...blocksOfMaxSize(), textBlock(20, { content: 'beyond' })]);
  expect(await pageContains(TOO_LONG)).toBe(true);
  expect(await pageContains('beyond')).toBe(false);
  expect(await pageContains('beyond', '/page.json')).toBe(true);
});

it('a site larger than the page limit does not count disabled blocks', async () => {
  await updateBlocks([
    ...blocksOfMaxSize().map((block) => ({ ...block, enabled: false })),
    ...blocksOfMaxSize(),
  ]);
  expect(await pageContains(TOO_LONG)).toBe(false);
});

it('a site larger than the page limit uses its page settings, even if they are last', async () => {
  await updateBlocks([
    ...blocksOfMaxSize(),
    textBlock(20),
    { type: 'page', enabled: true, lang: 'pt', indexing: false },
  ]);
  expect(await pageContains('<html lang="pt" dir="ltr">')).toBe(true);
  expect(await pageContains('<meta name="robots" content="noindex')).toBe(true);
  expect(await pageContains('Esta página é longa demais')).toBe(true);
});

const blockArbitrary = fc.record({
  type: fc.constantFrom('poll', 'page', 'notes'),
  enabled: fc.boolean(),
  content: fc.option(
    fc
      .tuple(fc.constantFrom('x', 'é', '"', '\u{1F600}', '\\', '\n'), fc.nat({ max: 10_000 }))
      .map(([character, length]) => character.repeat(length / character.length)),
    { nil: undefined },
  ),
  url: fc.option(
    fc.nat({ max: 1_900 }).map((length) => `https://example.com/${'a'.repeat(length)}`),
    { nil: undefined },
  ),
  notes: fc.option(
    fc.array(fc.constantFrom('"é"', 1e21, 0.1, null, true, { '\u{1F600}': [] }), {
      maxLength: 1_000,
    }),
    { nil: undefined },
  ),
});

it('a site larger than the page limit is truncated after the same block as its preview', async () => {
  const truncations: boolean[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(blockArbitrary, { minLength: 5, maxLength: 60, size: 'max' }),
      async (blocks) => {
        await updateBlocks(blocks);
        const wholePage = (await findWholePages(server.db, [NAME])).get(NAME)!.site!;
        const { blocks: firstBlocks, has_more } = (await findPages(server.db, [NAME])).get(
          NAME,
        )!.site!;
        expect({ blocks: firstBlocks, has_more }).toEqual(takeBlocksThatFit(wholePage.blocks));
        truncations.push(has_more);
      },
    ),
    { numRuns: 25 },
  );
  expect(new Set(truncations)).toEqual(new Set([true, false]));
});
