import { formatLimit } from '#contract/shared/limits.ts';

const LIMITS = [
  { min: 'minLength', max: 'maxLength', one: ' character', many: ' characters' },
  { min: 'minItems', max: 'maxItems', one: ' entry', many: ' entries' },
  { min: 'minimum', max: 'maximum', one: '', many: '' },
] as const;

type Keyword = (typeof LIMITS)[number]['min' | 'max'];

/** A sentence with the limits that the description does not have. Many tools show only that. */
export function describeLimits(
  schema: Readonly<Partial<Record<Keyword, unknown>>>,
  description: string,
): string {
  const texts = LIMITS.flatMap(({ min, max, one, many }) => {
    const last = [schema[max], schema[min]].find(isContractBound);
    if (last === undefined) return [];
    const number = formatLimit(last);
    const isDescribed = new RegExp(String.raw`(?<![\d,.])${number}(?![\d,])`).test(description);
    const range = describeRange(schema[min], schema[max]);
    return isDescribed ? [] : [`${range}${last === 1 ? one : many}`];
  });
  const text = texts.join(', ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describeRange(min: unknown, max: unknown): string {
  if (!isContractBound(max)) return `at least ${formatLimit(min as number)}`;
  if (!isContractBound(min)) return `at most ${formatLimit(max)}`;
  return min === max ? `exactly ${formatLimit(max)}` : `${formatLimit(min)} to ${formatLimit(max)}`;
}

/** Whether a bound comes from the contract. zod adds the safe integer range to every integer. */
export function isContractBound(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
