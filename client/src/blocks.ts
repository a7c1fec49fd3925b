import type { Block } from './operations.ts';

/** A block of a kind that this version of the client knows. */
export type KnownBlock = Known<Block>;

type Known<Member extends Block> = Member extends unknown
  ? string extends Member['type']
    ? never
    : Member
  : never;

/**
 * Tells whether a block is of a kind, so that the compiler knows its fields. A comparison of `type`
 * does not: a block of a kind that is not known could have the same fields with other values.
 *
 * @example
 * ```ts
 * const { blocks } = await client.site.getSiteConfiguration();
 * for (const block of blocks) if (isBlock(block, 'link')) console.log(block.title ?? block.url);
 * ```
 */
export function isBlock<Kind extends KnownBlock['type']>(
  block: Block,
  kind: Kind,
): block is Extract<KnownBlock, { type: Kind }> {
  return block.type === kind;
}
