import { titleOfKind } from './kinds.ts';
import { describeFields } from './site-fields.ts';
import type { Block, Site } from './site.ts';

/** Counts the fields and blocks that differ between two sites, plus one for a new block order. */
export function countChanges(before: Site, after: Site): number {
  const { blocks: blocksBefore, ...fieldsBefore } = before;
  const { blocks: blocksAfter, ...fieldsAfter } = after;
  const fields = Object.keys(fieldsBefore) as (keyof typeof fieldsBefore)[];
  const beforeById = new Map(blocksBefore.map((block) => [block.id, block]));
  const afterById = new Map(blocksAfter.map((block) => [block.id, block]));
  const orderOf = (blocks: readonly Block[]) =>
    blocks.filter(({ id }) => beforeById.has(id) && afterById.has(id)).map(({ id }) => id);
  return (
    fields.filter((field) => !isSame(fieldsBefore[field], fieldsAfter[field])).length +
    blocksBefore.filter(({ id }) => !afterById.has(id)).length +
    blocksAfter.filter((block) => !isSame(block, beforeById.get(block.id))).length +
    (isSame(orderOf(blocksBefore), orderOf(blocksAfter)) ? 0 : 1)
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface VersionChanges {
  changed: readonly string[];
  blocks: readonly { type: string; change: string; count: number }[];
}

const listFormat = new Intl.ListFormat('en');

/** Describes a version: `2 links and QR code added, bio changed`. */
export function describeChanges({ changed, blocks }: VersionChanges): string {
  const phrases = ['added', 'changed', 'removed'].flatMap((change) => {
    const matchingChanges = blocks.filter((blockChange) => blockChange.change === change);
    const names = matchingChanges.map(({ type, count }) => describeCount(type, count));
    return names.length > 0 ? [`${listFormat.format(names)} ${change}`] : [];
  });
  if (changed.includes('blocks') && blocks.length === 0) phrases.push('blocks moved');
  const fields = changed.filter((field) => field !== 'blocks');
  if (fields.length > 0) phrases.push(`${describeFields(fields)} changed`);
  const sentence = phrases.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Kinds whose title names one block but has no plural. */
const NEVER_PLURAL = new Set(['social', 'faq']);
/** Kinds whose title always needs the word “block” after it. */
const NEEDS_NOUN = new Set(['code', 'contact', 'embed']);

/** A number of blocks: `link`, `2 links`, `2 code blocks`. */
function describeCount(type: string, count: number): string {
  const title = titleOfKind(type).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  if (NEVER_PLURAL.has(type) && count === 1) return title;
  const isCountable = !NEVER_PLURAL.has(type) && !NEEDS_NOUN.has(type);
  const noun = isCountable ? title : `${title} block`;
  return count === 1 ? noun : `${count} ${noun}s`;
}
