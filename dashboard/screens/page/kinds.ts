import { BLOCKS, type BlockField, blockDefinition } from '#contract/blocks.ts';

/** A new block of a kind, with the values that a form cannot leave open. */
export function newBlock(type: string): { type: string } & Record<string, unknown> {
  const fields = Object.entries(blockDefinition(type)?.fields ?? {});
  const values = fields.flatMap(([name, field]) => {
    const value = initialValue(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(values), type };
}

function initialValue({ type, required, options, default: usual }: BlockField): unknown {
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

const SUMMARY_FIELDS = [
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
  const found = SUMMARY_FIELDS.map((name) => block[name]).find(
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

/** Kind of block as the gallery offers it. */
export interface BlockKind {
  type: string;
  label: string;
  /** One line about it. */
  about: string;
}

/** Words by which people look for a kind beside its label. */
const SEARCH_KEYWORDS: Readonly<Record<string, string>> = {
  link: 'button url website address',
  text: 'paragraph markdown words',
  heading: 'title section',
  social: 'icons profiles instagram mastodon github youtube',
  image: 'photo picture',
  contact: 'email mail phone telephone address',
  metric: 'number statistics chart',
  event: 'date calendar',
  countdown: 'date timer',
  faq: 'question answer',
  key: 'pgp ssh',
  embed: 'youtube vimeo spotify music map player',
  divider: 'line separator',
};

const OTHER_KIND: BlockKind = {
  type: 'other',
  label: 'Other',
  about: 'A block of another kind, as JSON.',
};

/** Block kinds that the user can add, in contract order. */
const BLOCK_KINDS: readonly BlockKind[] = [
  ...Object.entries(BLOCKS).map(([type, { label, description }]) => ({
    type,
    label,
    about: description,
  })),
  OTHER_KIND,
];

/** Kinds that a search finds: those whose names begin with it first. */
export function findKinds(search: string): BlockKind[] {
  const words = search.trim().toLowerCase();
  const rank = ({ type, label, about }: BlockKind) => {
    if (label.toLowerCase().startsWith(words)) return 0;
    const also = `${label} ${type} ${SEARCH_KEYWORDS[type] ?? ''}`.toLowerCase();
    if (also.includes(words)) return 1;
    return about.toLowerCase().includes(words) ? 2 : 3;
  };
  return BLOCK_KINDS.filter((kind) => rank(kind) < 3).toSorted(
    (one, other) => rank(one) - rank(other),
  );
}
