import { type RawBuilder, sql } from 'kysely';
import { foldText } from '#contract/shared/fold-text.ts';

/** Whether the value contains the text, both compared as `foldText` does. */
export function containsText(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(translate(lower(regexp_replace(
    normalize(${value}, NFKD), '[\u0300-\u036F]', '', 'g')), 'ı', 'i'), ${foldText(text)}) > 0`;
}
