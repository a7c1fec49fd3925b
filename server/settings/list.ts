import { z } from 'zod';

/** A list in a variable, separated by commas, of items that a test accepts. */
export function list(item: Pick<RegExp, 'test'>, message: string) {
  return z.string().transform((text, context) => {
    const items = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const bad = items.filter((entry) => !item.test(entry));
    if (bad.length > 0)
      context.addIssue({ code: 'custom', message: `${message}: ${bad.join(', ')}` });
    return items;
  });
}
