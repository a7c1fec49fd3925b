import { formatLimit } from '#contract/shared/limits.ts';

type Keyword = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minimum' | 'maximum';

const LIMITS: readonly [Keyword, words: string, one: string, many: string][] = [
  ['minLength', 'at least', ' character', ' characters'],
  ['maxLength', 'at most', ' character', ' characters'],
  ['minItems', 'at least', ' entry', ' entries'],
  ['maxItems', 'at most', ' entry', ' entries'],
  ['minimum', 'at least', '', ''],
  ['maximum', 'at most', '', ''],
];

/** A sentence with the limits that the description does not have. Many tools show only that. */
export function describeLimits(
  schema: Readonly<Partial<Record<Keyword, unknown>>>,
  description: string,
): string {
  const texts = LIMITS.flatMap(([keyword, words, one, many]) => {
    const limit = schema[keyword];
    if (!isContractBound(limit)) return [];
    const number = formatLimit(limit);
    const isDescribed = new RegExp(String.raw`(?<![\d,.])${number}(?![\d,])`).test(description);
    return isDescribed ? [] : [`${words} ${number}${limit === 1 ? one : many}`];
  });
  const text = texts.join(', ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Whether a bound comes from the contract. zod adds the safe integer range to every integer. */
export function isContractBound(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
