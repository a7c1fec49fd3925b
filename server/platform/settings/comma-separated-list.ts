import { z } from 'zod';

export function commaSeparatedList(itemPattern: Pick<RegExp, 'test'>, message: string) {
  return z.string().transform((text, context) => {
    const items = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const invalid = items.filter((entry) => !itemPattern.test(entry));
    if (invalid.length > 0)
      context.addIssue({ code: 'custom', message: `${message}: ${invalid.join(', ')}` });
    return items;
  });
}
