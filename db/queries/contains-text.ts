import { type RawBuilder, sql } from 'kysely';
import { foldText } from '#contract/shared/fold-text.ts';

/**
 * Whether the value contains each word, in any order, without regard to case and accents. Words may
 * be written as `@name`.
 */
export function containsText(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return containsFoldedText(sql`fold_text(${value})`, text);
}

/** `folded` is what `fold_text`, which is like `foldText`, makes of a text. */
export function containsFoldedText(folded: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  const spellings = new Set([text, text.normalize('NFC').replace(/[äöü]/gi, '$&e')].map(foldText));
  const matches = [...spellings].map((spelling) => {
    const words = spelling.trim().split(/[\s,]+/);
    const patterns = words.map((word) => `%${word.replace(/^@/, '').replace(/[\\%_]/g, '\\$&')}%`);
    // The subquery hides the patterns from the planner, which would expect one letter in every row.
    return sql`${folded} LIKE ALL (ARRAY(SELECT unnest(${patterns}::text[])))`;
  });
  return sql<boolean>`(${sql.join(matches, sql` OR `)})`;
}
