/**
 * A kind of block that this version of the client does not know: see `otherKind`.
 *
 * Declared as an enum, because TypeScript narrows a union of blocks by its `type`, but does not accept
 * a misspelled string literal as an enum. With a single member, `type !== otherKind('poll')` would
 * exclude all unknown kinds.
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
