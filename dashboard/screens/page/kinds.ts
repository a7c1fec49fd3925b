import { type BlockField, blockDefinition } from '../../../contract/blocks.ts';

/** A new block of a kind, with the values that a form cannot leave open. */
export function newBlock(type: string): { type: string } & Record<string, unknown> {
  const fields = Object.entries(blockDefinition(type)?.fields ?? {});
  const values = fields.flatMap(([name, field]) => {
    const value = firstValue(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(values), type };
}

function firstValue({ type, required, options, default: usual }: BlockField): unknown {
  switch (type) {
    case 'zone':
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    case 'list':
      return [];
    case 'choice':
      return Object.keys(options ?? {})[0];
    case 'number':
      return usual;
    default:
      return required && type !== 'time' ? '' : undefined;
  }
}

/** A block in a sentence, such as `Link “My shop”`. */
export function nameOfBlock(block: Readonly<Record<string, unknown>> & { type: string }): string {
  const summary = summaryOf(block);
  return summary ? `${titleOfKind(block.type)} “${summary}”` : titleOfKind(block.type);
}

/** Title of a kind; for one that pages do not know, its own name. */
export function titleOfKind(type: string): string {
  return blockDefinition(type)?.label ?? type;
}

const TELLING = [
  'title',
  'label',
  'question',
  'content',
  'name',
  'alt',
  'field',
  'email',
  'url',
  'lang',
];

/** Summary that tells a block from others of its kind; for a list, its items. */
export function summaryOf(block: Readonly<Record<string, unknown>>): string {
  const found = TELLING.map((name) => block[name]).find(
    (value) => typeof value === 'string' && value.trim(),
  );
  const items: unknown[] = Array.isArray(block['items']) ? block['items'] : [];
  const words =
    typeof found === 'string'
      ? found.trim()
      : items
          .filter((item) => typeof item === 'object' && item !== null)
          .map((item) => summaryOf(item as Readonly<Record<string, unknown>>))
          .join(', ');
  return words.slice(0, 120);
}
