import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { errorText } from '../support/expected-responses.ts';
import { useServer } from '../support/use-server.ts';
import {
  SUCCESS,
  FULL_SITE,
  POLL_BLOCK,
  LINK_BLOCK,
  TEXT_BLOCK,
  readSite,
  updateSite,
} from './support/site.ts';

const { server, account } = useServer({ account: 'per test' });

it('a block without an id gets a new UUID and is enabled', async () => {
  const block = { type: 'text', content: 'a' };
  await updateSite(account, { blocks: [block, block] });
  const { blocks } = await readSite(account);
  const uuid = expect.stringMatching(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const stored = { id: uuid, ...block, enabled: true };
  expect(blocks).toEqual([stored, stored]);
  expect(blocks[0]?.id).not.toBe(blocks[1]?.id);
});

it('blocks are updated in place, reordered, retyped, added and deleted in one request', async () => {
  await updateSite(account, FULL_SITE);
  const nextBlocks = [
    // Keeps no field of the poll.
    { id: POLL_BLOCK.id, type: 'text', enabled: true, content: 'No poll.' },
    { ...TEXT_BLOCK, content: 'Changed.', enabled: false },
    { id: randomUUID(), type: 'text', enabled: true, content: 'New.' },
  ];
  expect(await updateSite(account, { blocks: nextBlocks })).toEqual(SUCCESS);
  expect((await readSite(account)).blocks).toEqual(nextBlocks);
  expect(nextBlocks.map(({ id }) => id)).not.toContain(LINK_BLOCK.id);
  expect(await updateSite(account, { blocks: [] })).toEqual(SUCCESS);
  expect((await readSite(account)).blocks).toEqual([]);
});

it('blocks of type `page` are returned byte for byte in the same position, in both contracts', async () => {
  const pageBlock = (fields: object) => ({ id: randomUUID(), type: 'page', ...fields });
  const blocks = [
    TEXT_BLOCK,
    pageBlock({ enabled: false, lang: 'de' }),
    pageBlock({ enabled: true, content: 'A.', zeta: 1, alpha: [{ b: 1, a: 2 }], lang: 'pt' }),
    LINK_BLOCK,
    pageBlock({ enabled: true, lang: 'fr' }),
  ];
  expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
  expect(JSON.stringify((await readSite(account)).blocks)).toBe(JSON.stringify(blocks));
  const { page } = account.owner;
  const stored = await page.getPageVersion();
  expect(JSON.stringify(stored.blocks)).toBe(JSON.stringify(blocks));
  await page.updatePage({ version: stored.version, blocks: stored.blocks });
  expect((await page.listPageVersions()).versions).toHaveLength(1);
  await updateSite(account, { blocks: blocks.slice(3) });
  await page.restorePageVersion({ version: stored.version });
  expect(JSON.stringify((await readSite(account)).blocks)).toBe(JSON.stringify(blocks));
});

it('an upper-case id refers to the same block, and a duplicate id changes nothing', async () => {
  const upperCase = { ...TEXT_BLOCK, id: TEXT_BLOCK.id.toUpperCase() };
  await updateSite(account, { ...FULL_SITE, blocks: [upperCase] });
  const before = await readSite(account);
  expect(before.blocks).toEqual([TEXT_BLOCK]);
  for (const duplicate of [TEXT_BLOCK, upperCase])
    expect(await updateSite(account, { bio: 'other', blocks: [TEXT_BLOCK, duplicate] })).toEqual(
      errorText(400, 'blocks.1.id is the id of an earlier block.'),
    );
  expect(await readSite(account)).toEqual(before);
});

it("blocks another account's block id is treated as unused", async () => {
  const [a, b] = [await server.createAccount(), await server.createAccount()];
  await updateSite(b, FULL_SITE);
  const before = await readSite(b);
  const { id } = TEXT_BLOCK;
  const blocks = [{ id, type: 'text', content: 'mine', enabled: true }];
  expect(await updateSite(a, { blocks })).toEqual(SUCCESS);
  expect((await readSite(a)).blocks).toEqual(blocks);
  expect(await readSite(b)).toEqual(before);
  await updateSite(a, { blocks: [] });
  expect(await readSite(b)).toEqual(before);
});

it('blocks are refused with the path of the first invalid field', async () => {
  for (const [blocks, message] of [
    [[{ type: 'text' }], /^blocks\.0\.content is required in a text block/],
    [[{ type: 'link', url: 'javascript:alert(1)' }], /^blocks\.0\.url /],
    [[{ type: 'link', url: 'mailto:a\nb' }], /^blocks\.0\.url /],
    [[{ type: 'image', url: 'mailto:a@example.com' }], /^blocks\.0\.url /],
    [[{ type: 'text', content: 'x', url: 'javascript:1' }], /^blocks\.0\.url /],
    [[{ type: 'x', more: 'y'.repeat(16_384) }], /^blocks\.0 must have at most/],
    [[{ type: 'x' }, { type: 1 }], /^blocks\.1\.type /],
  ] as const)
    expect([blocks, await updateSite(account, { blocks })]).toEqual([
      blocks,
      errorText(400, expect.stringMatching(message)),
    ]);
});

it('blocks may be 100 beside the page settings, which do not count', async () => {
  const block = () => ({ id: randomUUID(), type: 'x', enabled: true });
  const full = Array.from({ length: 100 }, block);
  const settings = { ...block(), type: 'page', lang: 'de' };
  expect(await updateSite(account, { blocks: [...full, settings] })).toEqual(SUCCESS);
  const { blocks } = await readSite(account);
  expect(blocks).toEqual([...full, settings]);
  expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
  const refused = errorText(
    400,
    'blocks must contain at most 100 blocks, not counting page settings.',
  );
  const second = { ...block(), type: 'page', lang: 'fr' };
  expect(await updateSite(account, { blocks: [settings, ...full, second] })).toEqual(refused);
  const disabled = { ...settings, enabled: false };
  expect(await updateSite(account, { blocks: [disabled, ...full] })).toEqual(refused);
  expect((await readSite(account)).blocks).toEqual([...full, settings]);
});

it('blocks may have 9,000 keys and values in total, so that a site can be sent back as read', async () => {
  const more = Array.from({ length: 81 }, () => 0);
  const createTexts = (count: number) => Array.from({ length: count }, () => ({ type: 'x', more }));
  expect(await updateSite(account, { ...FULL_SITE, blocks: createTexts(99) })).toEqual(SUCCESS);
  const { site, blocks } = await readSite(account);
  expect(await updateSite(account, { ...site, blocks })).toEqual(SUCCESS);
  expect(await readSite(account)).toMatchObject({ site, blocks });
  expect(await updateSite(account, { blocks: createTexts(100) })).toEqual(
    errorText(400, 'blocks must contain at most 9,000 keys and values in total.'),
  );
});

it('blocks may have 10,000 characters of content', async () => {
  const blocks = [{ type: 'text', content: '🦉'.repeat(10_000) }];
  expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
  expect((await readSite(account)).blocks).toMatchObject(blocks);
});

it('blocks are limited in total so that the site fits into a request body', async () => {
  const otherFields = {
    bio: '\u0001'.repeat(4_000),
    location: '🦉'.repeat(200),
    avatar_url: `https://example.com/${'語'.repeat(2_028)}`,
  };
  const createBlocks = (length: number) =>
    Array.from({ length: 100 }, () => ({ type: 'x', more: 'y'.repeat(length) }));
  const error = 'blocks must contain at most 983,040 bytes of JSON in total, not counting ids.';
  const [largest, tooLarge] = [createBlocks(9_792), createBlocks(9_793)];
  expect(await updateSite(account, { blocks: tooLarge })).toEqual(errorText(400, error));
  expect(await updateSite(account, otherFields)).toEqual(SUCCESS);
  expect(await updateSite(account, { blocks: largest })).toEqual(SUCCESS);
  const before = await readSite(account);
  expect(await updateSite(account, before)).toEqual(SUCCESS);
  expect(await readSite(account)).toEqual(before);
});

it('blocks with large numbers can be sent back as read', async () => {
  const numbers = [1e20, -1e20, 9007199254740994, 1e21];
  expect(await updateSite(account, { blocks: [{ type: 'poll', numbers }] })).toEqual(SUCCESS);
  const { blocks } = await readSite(account);
  expect(blocks).toMatchObject([{ numbers }]);
  expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
});

it('blocks keep extra fields of any type and name, up to 16 KiB of JSON', async () => {
  const block = {
    type: 'x',
    account_id: 'a',
    position: 99,
    fields: { fields: 1 },
    toString: 'x',
    '': [null, true, -1.5, 1e308, 'ä'],
    'ключ "\\': { z: 1, a: 2 },
    more: 'y'.repeat(16_000),
  };
  expect(await updateSite(account, { blocks: [block] })).toEqual(SUCCESS);
  const [stored] = (await readSite(account)).blocks;
  expect(stored).toEqual({ ...block, id: expect.any(String), enabled: true });
  expect(Object.keys((stored as unknown as typeof block)['ключ "\\'])).toEqual(['z', 'a']);
});
