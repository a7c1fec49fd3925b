/**
 * A kind of block that this version of the client does not know: see `otherKind`.
 *
 * An enum, because comparing `type` narrows a union with it, and no string is assignable to it. It has two
 * values, because comparing with the only one would rule out all others.
 */
declare enum OtherKind {
  One = 'one',
  Another = 'another',
}
export type { OtherKind };

/**
 * Marks a kind of block that this version of the client does not know. Such a block can have any fields.
 *
 * @example
 * ```ts
 * const { blocks } = await client.site.getSiteConfiguration();
 * const poll = { type: otherKind('poll'), answers: ['Tea', 'Coffee'] };
 * await client.site.updateSiteConfiguration({ blocks: [...blocks, poll] });
 *
 * for (const block of blocks) {
 *   if (block.type === 'link') console.log(block.title ?? block.url);
 *   if (block.type === otherKind('poll')) console.log(block['answers']);
 * }
 * ```
 */
export function otherKind(kind: string): OtherKind {
  return kind as OtherKind;
}
