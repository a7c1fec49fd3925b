import { type RawBuilder, sql } from 'kysely';
import { foldText, UNSPLIT_LETTERS } from '#contract/shared/fold-text.ts';

/** What `foldText` makes of the value, and below it, of one with `ue` for `ü` as in German. */
export function foldedText(value: RawBuilder<unknown>): RawBuilder<string> {
  const both = sql`${value} || chr(10) ||
    regexp_replace(normalize(${value}, NFC), '([äöüÄÖÜ])', '\\1e', 'g')`;
  const folded = sql`lower(regexp_replace(normalize(${both}, NFKD), '[\u0300-\u036F]', '', 'g'))`;
  // A database with the locale "C" lowers only ASCII.
  const latin = Object.entries(UNSPLIT_LETTERS)
    .flatMap(([letter, base]) => [
      [letter, base],
      [letter.toUpperCase(), base],
    ])
    .reduce(
      (text, [letter, base]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(base)})`,
      folded,
    );
  // Most values are ASCII, where `lower` is enough and takes a tenth of the time.
  return sql<string>`CASE WHEN octet_length(${value}) = length(${value})
    THEN lower(${value} COLLATE "C")
    ELSE ${latin}
  END`;
}

/**
 * Whether the value contains each word, in any order, without regard to case and accents. Words may
 * be written as `@name`.
 */
export function containsText(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return containsFoldedText(foldedText(value), text);
}

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
