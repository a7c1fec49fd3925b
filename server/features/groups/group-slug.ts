import { foldText } from '#contract/shared/fold-text.ts';

const MAX_LENGTH = 50;
/** The group of operators, in the claims for websites. */
export const OPERATORS_SLUG = 'operators';

/** A slug for the name that no other group has. */
export function createGroupSlug(name: string, taken: readonly string[]): string {
  const others = new Set([...taken, OPERATORS_SLUG]);
  const base =
    foldText(name)
      .replace(/[^a-z\d]+/g, '-')
      .slice(0, MAX_LENGTH)
      .replace(/^-|-$/g, '') || 'group';
  if (!others.has(base)) return base;
  let number = 2;
  while (others.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
