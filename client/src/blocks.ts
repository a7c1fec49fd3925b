import type { Block } from './operations.ts';

/** A block of a kind that this version of the client knows. */
export type KnownBlock = KnownMember<Block>;

type KnownMember<Member extends Block> = Member extends unknown
  ? string extends Member['type']
    ? never
    : Member
  : never;

/**
 * Checks whether a block is of a given kind, so that the compiler knows its fields. Comparing
 * `type` does not narrow the type, because `type` can also be any other string.
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
