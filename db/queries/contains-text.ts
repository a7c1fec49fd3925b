import { type RawBuilder, sql } from 'kysely';
import { foldText } from '#contract/shared/fold-text.ts';

/** Whether the value contains the text, both compared as `foldText` does. */
export function containsText(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  // Most values are ASCII, where `lower` is enough and takes a tenth of the time.
  return sql<boolean>`strpos(CASE WHEN octet_length(${value}) = length(${value})
    THEN lower(${value} COLLATE "C")
    ELSE translate(lower(regexp_replace(
      normalize(${value}, NFKD), '[\u0300-\u036F]', '', 'g')), 'ı', 'i')
  END, ${foldText(text)}) > 0`;
}
