import { titleOfKind } from './kinds.ts';
import { describeFields } from './site-fields.ts';
import type { Block, Site } from './site.ts';

/** How many things differ between two states of a site: its details, its blocks, and their order. */
export function countChanges(one: Site, other: Site): number {
  const { blocks: before, ...details } = one;
  const { blocks: after, ...otherDetails } = other;
  const parts = Object.keys(details) as (keyof typeof details)[];
  const known = new Map(before.map((block) => [block.id, block]));
  const now = new Map(after.map((block) => [block.id, block]));
  const orderOf = (blocks: readonly Block[]) =>
    blocks.filter(({ id }) => known.has(id) && now.has(id)).map(({ id }) => id);
  return (
    parts.filter((part) => !isSame(details[part], otherDetails[part])).length +
    before.filter(({ id }) => !now.has(id)).length +
    after.filter((block) => !isSame(block, known.get(block.id))).length +
    (isSame(orderOf(before), orderOf(after)) ? 0 : 1)
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Changes of a version, as the API tells them. */
interface VersionChanges {
  changed: readonly string[];
  blocks: readonly { type: string; change: string; count: number }[];
}

const listFormat = new Intl.ListFormat('en');

/** Says what a version changed: `2 links and QR code added, bio changed`. */
export function describeChanges({ changed, blocks }: VersionChanges): string {
  const words = ['added', 'changed', 'removed'].flatMap((change) => {
    const same = blocks.filter((kind) => kind.change === change);
    const names = same.map(({ type, count }) => describeCount(type, count));
    return names.length > 0 ? [`${listFormat.format(names)} ${change}`] : [];
  });
  if (changed.includes('blocks') && blocks.length === 0) words.push('blocks moved');
  const details = changed.filter((part) => part !== 'blocks');
  if (details.length > 0) words.push(`${describeFields(details)} changed`);
  const sentence = words.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Kinds whose titles are no countable words. */
const NEVER_PLURAL = new Set(['social', 'faq']);
const NEEDS_NOUN = new Set(['code', 'contact', 'embed']);

/** Some blocks of a kind: `link`, `2 links`, `2 code blocks`. */
function describeCount(type: string, count: number): string {
  const title = titleOfKind(type).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  if (NEVER_PLURAL.has(type) && count === 1) return title;
  const isWord = !NEVER_PLURAL.has(type) && !NEEDS_NOUN.has(type);
  const noun = isWord ? title : `${title} block`;
  return count === 1 ? noun : `${count} ${noun}s`;
}
