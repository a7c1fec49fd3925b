import { BLOCKS, type BlockField, blockDefinition } from '#contract/shared/blocks.ts';
import { foldText } from '#contract/shared/fold-text.ts';
import { shortenText } from '#contract/shared/user-text.ts';
import { timeZone } from '#dashboard/time-zones.ts';
import { t } from '#dashboard/translate.ts';

/** A new block, with initial values for the fields that a form cannot leave empty. */
export function newBlock(
  type: string,
  zone = timeZone,
): { type: string } & Record<string, unknown> {
  const fields = Object.entries(blockDefinition(type)?.fields ?? {});
  const values = fields.flatMap(([name, field]) => {
    const value = field.type === 'zone' ? zone : initialValue(field);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(values), type };
}

function initialValue({ type, required, options, default: defaultValue }: BlockField): unknown {
  switch (type) {
    case 'list':
      return [];
    case 'choice':
      return defaultValue === undefined ? Object.keys(options ?? {})[0] : undefined;
    case 'number':
      return defaultValue;
    default:
      return required && type !== 'time' ? '' : undefined;
  }
}

/** Names a block in a message, such as `Link “My shop”`. */
export function blockLabel(block: Readonly<Record<string, unknown>> & { type: string }): string {
  const summary = summaryOf(block);
  const kind = titleOfKind(block.type);
  return summary ? t('{kind} “{summary}”', { kind, summary }) : kind;
}

/** Title of a block kind. An unknown kind has its type as its title. */
export function titleOfKind(type: string): string {
  return blockDefinition(type)?.label ?? type;
}

/** The first of these fields that has text is the summary of a block. */
const SUMMARY_FIELDS = [
  'title',
  'label',
  'question',
  'content',
  'name',
  'alt',
  'caption',
  'field',
  'email',
  'url',
  'lang',
];

const PICTURE_KINDS = new Set<unknown>(['image', 'gallery']);

/**
 * Short text that identifies a block. If it has only a list, the summaries of the list's items. The
 * address of a picture is no summary.
 */
export function summaryOf(
  block: Readonly<Record<string, unknown>>,
  isPicture = PICTURE_KINDS.has(block['type']),
): string {
  const summaryField = SUMMARY_FIELDS.filter((name) => !(isPicture && name === 'url'))
    .map((name) => block[name])
    .find((value) => typeof value === 'string' && value.trim());
  const items: unknown[] = Array.isArray(block['items']) ? block['items'] : [];
  const summary =
    typeof summaryField === 'string'
      ? summaryField.trim()
      : items
          .filter((item) => typeof item === 'object' && item !== null)
          .map((item) => summaryOf(item as Readonly<Record<string, unknown>>, isPicture))
          .filter(Boolean)
          .join(', ');
  const text = block['type'] === 'text' ? stripMarkdown(summary).trim() : summary;
  return shortenText(text, 120);
}

function stripMarkdown(text: string): string {
  return text.replace(/!?\[([^[\]]*)\](?:\([^)]*\)?)?/g, '$1').replace(/^ *[-+] +|[*_`#>]+/gm, '');
}

export interface BlockKind {
  type: string;
  label: string;
  description: string;
  searchTerms?: string;
}

const OTHER_KIND: BlockKind = {
  type: 'other',
  label: t('kind of block|Other'),
  description: t('A block of another kind, as JSON.'),
};

/** Block kinds the user can add, in contract order. */
const BLOCK_KINDS: readonly BlockKind[] = [
  ...Object.entries(BLOCKS).map(([type, definition]) => ({ ...definition, type })),
  OTHER_KIND,
];

/** Kinds that need a project or JSON. The editor offers them only with developer tools. */
export const DEVELOPER_KINDS: ReadonlySet<string> = new Set(['metric', OTHER_KIND.type]);

/** Headings of the gallery with their kinds. Other kinds belong to the last group. */
const GROUPS = [
  ['', ['link', 'image', 'text', 'social']],
  [t('group of blocks|Show'), ['gallery', 'embed', 'qr']],
  [t('Tell'), ['heading', 'quote', 'faq', 'event', 'countdown', 'divider']],
  [t('Reach'), ['contact', 'contact_form']],
  [t('For developers'), []],
] as const satisfies (readonly [string, readonly string[]])[];

/** Favorites first, then the other kinds by what they are for. */
export function groupKinds(kinds: readonly BlockKind[]): [heading: string, BlockKind[]][] {
  const grouped = new Set<string>(GROUPS.flatMap(([, types]) => types));
  return GROUPS.map(([heading, types]): [string, BlockKind[]] => [
    heading,
    types.length > 0
      ? types.flatMap((type) => kinds.filter((kind) => kind.type === type))
      : kinds.filter(({ type }) => !grouped.has(type)),
  ]);
}

/** Block kinds that match every word of a search. Labels that begin with the search come first. */
export function findKinds(search: string): BlockKind[] {
  const text = foldText(search.trim());
  const labelRank = ({ label }: BlockKind) => Number(!foldText(label).startsWith(text));
  return BLOCK_KINDS.filter(({ type, label, description, searchTerms = '' }) => {
    const words = foldText(`${label} ${type} ${searchTerms} ${description}`);
    return text.split(/\s+/).every((word) => words.includes(word));
  }).toSorted((a, b) => labelRank(a) - labelRank(b));
}
