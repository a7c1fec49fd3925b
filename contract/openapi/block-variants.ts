import {
  type BlockField,
  API_BLOCKS,
  type BlockType,
  BLOCK_TYPES,
  maxItemsOf,
} from '#contract/shared/blocks.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Schemas, Schema } from './json-schema.ts';

/** One alternative of a schema, such as one kind of block. */
export interface Variant {
  name: string;
  description: string;
  required: string[];
  /** Properties beyond those of the base schema. */
  properties: Schemas;
}

/** Kinds whose required fields the API checks. Other kinds are stored without a check. */
const VALIDATED_KINDS: readonly BlockType[] = ['text', 'link'];

/** Continue the label: “Address: an http or https URL”. */
const FORMATS: Partial<Record<BlockField['type'], string>> = {
  url: 'an absolute http or https URL without credentials',
  picture: 'an absolute http or https URL without credentials',
  icon: 'a name that `/docs/site-blocks.md` lists, one to three emoji, or none',
  time: 'ISO 8601, in UTC unless it has an offset; a date alone means the whole day',
  language: 'a tag such as en or pt-BR',
  project: 'the id of one of your projects',
};

const CONTACT_FORMAT =
  'an absolute http or https URL without credentials, or a mailto, tel, sms, xmpp, matrix or geo URL';

const ZONED_FORMAT =
  'ISO 8601, in the `time_zone` of the block (or UTC) unless it has an offset; a date alone means the whole day';

const DAY_FORMAT = 'a date without a time';

/** What labels of the editor do not say. */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  featured: 'The theme makes the link stand out.',
  me: 'The link has `rel="me"`, so a Mastodon profile that links to this page shows it as verified.',
};

/** The API limits only these texts of a block, and none of an item. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  content: LIMITS.blockContent,
  url: LIMITS.url,
};

/** Variants in requests. `required` lists the fields that a page needs to show the block. */
export const BLOCK_UPDATES = listVariants(
  'BlockUpdate',
  BLOCK_TYPES,
  'Any other block, including one whose fields do not match its kind. It is stored unchanged; send its real `type`, such as `poll`, not the `other` of the discriminator.',
);

/** Variants in responses. Kinds that the API does not check may lack required fields. */
export const STORED_BLOCKS = listVariants(
  'Block',
  VALIDATED_KINDS,
  'A block of another kind, or one whose fields do not match its kind.',
);

/**
 * Moves the fields of each kind to a schema of its own, which stored blocks and updates have in
 * common, so that what was read can be sent.
 */
export function shareBlockFields(schemas: Schemas): Schemas {
  const shared = { ...schemas };
  for (const { name, description } of STORED_BLOCKS.slice(0, -1))
    // The required fields are those of the update: a stored block that lacks one is an `OtherBlock`.
    for (const block of [name, `${name}Update`]) {
      const [base, fields] = shared[block]?.allOf ?? [];
      if (!base || !fields) continue;
      shared[`${name}Fields`] = { description, ...fields };
      shared[block] = { allOf: [base, { $ref: `#/$defs/${name}Fields` }] };
    }
  return shared;
}

function listVariants(
  suffix: string,
  kindsWithRequired: readonly BlockType[],
  otherDescription: string,
): Variant[] {
  const kinds = BLOCK_TYPES.map((kind): Variant => {
    const { description, fields } = API_BLOCKS[kind];
    return {
      name: `${kind.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase())}${suffix}`,
      description,
      required: ['type', ...(kindsWithRequired.includes(kind) ? requiredOf(fields) : [])],
      properties: { type: { type: 'string', enum: [kind] }, ...propertiesOf(fields, MAX_LENGTHS) },
    };
  });
  const properties = { type: { examples: ['poll'] } };
  const description = otherDescription;
  return [...kinds, { name: `Other${suffix}`, description, required: ['type'], properties }];
}

function requiredOf(fields: Readonly<Record<string, BlockField>>): string[] {
  return Object.entries(fields).flatMap(([name, { required, onlyFor }]) =>
    required && !onlyFor ? [name] : [],
  );
}

function propertiesOf(
  fields: Readonly<Record<string, BlockField>>,
  maxLengths: Readonly<Record<string, number>> = {},
): Schemas {
  const hasZone = 'time_zone' in fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      schemaOf(field, { name, hasZone, maxLength: maxLengths[name] }),
    ]),
  );
}

/** The description is the label, and the first sentence of the help text of the editor. */
function schemaOf(
  field: BlockField,
  { name, hasZone, maxLength }: { name: string; hasZone: boolean; maxLength: number | undefined },
): Schema {
  const {
    type,
    label,
    help = '',
    default: defaultValue,
    min,
    max,
    options,
    itemFields,
    aliases,
    allowsContact,
    isDay,
    example,
  } = field;
  const format = isDay
    ? DAY_FORMAT
    : allowsContact
      ? CONTACT_FORMAT
      : type === 'time' && hasZone
        ? ZONED_FORMAT
        : FORMATS[type];
  const [firstSentence] = help.split(/(?<=\.) /);
  const annotations = {
    description: [
      `${label}${format ? `: ${format}` : ''}.`,
      firstSentence,
      ...rulesOf(field),
      FIELD_NOTES[name],
      aliases && `${listNames(aliases)} also works, unless \`${name}\` is sent.`,
      type === 'flag' && defaultValue === undefined && 'Default: false.',
    ]
      .filter(Boolean)
      .join(' '),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(example !== undefined && { examples: [example] }),
  };
  switch (type) {
    case 'flag':
      return { ...annotations, type: 'boolean' };
    case 'number':
      return {
        ...annotations,
        type: 'integer',
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      };
    case 'choice':
      return { ...annotations, type: 'string', enum: Object.keys(options ?? {}) };
    case 'days':
      return {
        ...annotations,
        type: 'array',
        maxItems: maxItemsOf(field),
        items: { type: 'string', format: 'date' },
      };
    case 'list':
      return {
        ...annotations,
        type: 'array',
        maxItems: maxItemsOf(field),
        items: {
          type: 'object',
          required: requiredOf(itemFields ?? {}),
          properties: propertiesOf(itemFields ?? {}),
          additionalProperties: null,
        },
      };
    default:
      return { ...annotations, type: 'string', ...(maxLength !== undefined && { maxLength }) };
  }
}

/** When a page ignores the field. */
export function rulesOf({ needs, onlyFor, after, required }: BlockField): string[] {
  const values =
    onlyFor && (onlyFor.text ?? `\`${onlyFor.field}\` is ${listNames(onlyFor.values)}`);
  return [
    needs && `Ignored without ${listNames(needs)}.`,
    values && `Ignored unless ${values}${required ? ', which needs it' : ''}.`,
    after && `Not before \`${after}\`.`,
  ].filter((rule) => rule !== undefined);
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(
    names.map((name) => `\`${name}\``),
  );
}
