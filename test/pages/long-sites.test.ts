import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockUpdate } from '#contract/block.ts';
import { LIMITS } from '#contract/limits.ts';
import { findPages, findWholePages } from '#db/queries/sites/public-sites.ts';
import { takeBlocksThatFit } from '#server/features/sites/preview.ts';
import { useServer } from '../support/use-server.ts';

const NAME = 'jane-doe';
const TOO_LONG = 'This page is too long to be shown in full';

const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await account.client.account.updateDisplayName({ display_name: NAME });
  await account.client.site.toggleSiteVisibility();
});

type Sent = BlockUpdate;

const store = (blocks: Sent[]) => account.client.site.updateSiteConfiguration({ blocks });
const says = async (text: string, file = '') =>
  (await server.app.inject(`/@${NAME}${file}`)).body.includes(text);

/** A block of this many bytes, 11 of which surround its note. */
const text = (bytes: number, more: Partial<Sent> = {}): Sent => ({
  type: 'text',
  enabled: true,
  content: 'x'.repeat(Math.min(bytes - 11, 10_000)),
  note: 'y'.repeat(Math.max(bytes - 11 - 10_000, 0)),
  ...more,
});
/** Blocks of exactly the maximum total size. */
const all = () => Array.from({ length: LIMITS.pageBytes / 12_500 }, () => text(12_500));

describe('a site larger than the page limit', () => {
  it('is read up to the limit, and its page says that there is more', async () => {
    await store(all());
    expect(await says(TOO_LONG)).toBe(false);
    await store([...all(), text(20, { content: 'beyond' })]);
    expect(await says(TOO_LONG)).toBe(true);
    expect(await says('beyond')).toBe(false);
    expect(await says('beyond', '/page.json')).toBe(true);
  });

  it('does not count disabled blocks', async () => {
    await store([...all().map((block) => ({ ...block, enabled: false })), ...all()]);
    expect(await says(TOO_LONG)).toBe(false);
  });

  it('uses its page settings, even if they are last', async () => {
    await store([...all(), text(20), { type: 'page', enabled: true, lang: 'pt', indexing: false }]);
    expect(await says('<html lang="pt" dir="ltr">')).toBe(true);
    expect(await says('<meta name="robots" content="noindex')).toBe(true);
    expect(await says('Esta página é longa demais')).toBe(true);
  });

  const sent = fc.record({
    type: fc.constantFrom('poll', 'page', 'notes'),
    enabled: fc.boolean(),
    content: fc.option(
      fc
        .tuple(fc.constantFrom('x', 'é', '"', '\u{1F600}', '\\', '\n'), fc.nat({ max: 10_000 }))
        .map(([sign, length]) => sign.repeat(length / sign.length)),
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

  it('is truncated at the same block as its preview', async () => {
    const { db } = server.database;
    const cut: boolean[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent, { minLength: 5, maxLength: 60, size: 'max' }),
        async (blocks) => {
          await store(blocks);
          const whole = (await findWholePages(db, [NAME])).get(NAME)!.site!;
          const { blocks: read, has_more } = (await findPages(db, [NAME])).get(NAME)!.site!;
          expect({ blocks: read, has_more }).toEqual(takeBlocksThatFit(whole.blocks));
          cut.push(has_more);
        },
      ),
      { numRuns: 25 },
    );
    expect(new Set(cut)).toEqual(new Set([true, false]));
  });
});
