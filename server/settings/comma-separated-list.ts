import { z } from 'zod';

export function commaSeparatedList(item: Pick<RegExp, 'test'>, message: string) {
  return z.string().transform((text, context) => {
    const items = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const invalid = items.filter((entry) => !item.test(entry));
    if (invalid.length > 0)
      context.addIssue({ code: 'custom', message: `${message}: ${invalid.join(', ')}` });
    return items;
  });
}
