import { z } from 'zod';

export const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

export function commaSeparatedList(itemPattern: Pick<RegExp, 'test'>, message: string) {
  return commaSeparated.transform((items, context) => {
    const invalid = items.filter((item) => !itemPattern.test(item));
    if (invalid.length > 0)
      context.addIssue({ code: 'custom', message: `${message}: ${invalid.join(', ')}` });
    return items;
  });
}

export const domainNames = commaSeparatedList(
  /^[a-z0-9.-]+$/i,
  'must be domain names, separated by commas',
)
  .transform((domains) => domains.map((domain) => domain.toLowerCase()))
  .default([]);
