import { z } from 'zod';
import { BLOCK_ID } from './examples.ts';
import { idField, textField } from './fields.ts';
import { blockDefinition } from './shared/blocks.ts';
import { findPageSettingsIndex } from './shared/find-page-settings.ts';
import { formatLimit, LIMITS } from './shared/limits.ts';
import { isContactUrl, isWebUrl } from './shared/web-url.ts';
import { byteLength, limitedText } from './text.ts';
import { uuid } from './uuid.ts';

const TYPE_DESCRIPTION =
  'The block type: `text` needs `content`, and `link` needs `url`. Blocks of other types are stored unchanged.';
const TYPE_MESSAGE = `must be 1 to ${LIMITS.blockType} of a-z, 0-9, _ and -.`;
const URL_MESSAGE = `must be an absolute http or https URL without credentials, of at most ${formatLimit(LIMITS.url)} characters; a link block may also use mailto:, tel:, sms:, xmpp:, matrix: and geo:.`;

export const BLOCK_RULE_MESSAGES = {
  tooManyBlocks: `must contain at most ${LIMITS.blocks} blocks, not counting page settings.`,
  textMissing: 'is required in a text block.',
  linkMissing: 'is required in a link block.',
  fieldsTooLarge: `must have at most ${formatLimit(LIMITS.blockFieldsBytes)} bytes of JSON in its other fields.`,
  blocksTooLarge: `must contain at most ${formatLimit(LIMITS.blocksBytes)} bytes of JSON in total, not counting ids.`,
  tooManyMembers: `must contain at most ${formatLimit(LIMITS.blocksMembers)} keys and values in total.`,
  idRepeated: 'is the id of an earlier block.',
};

function createIssueAdder(context: z.RefinementCtx) {
  return (message: string, ...path: string[]) =>
    context.addIssue({ code: 'custom', path, message });
}

export const BlockUpdate = z
  .looseObject(
    {
      id: uuid()
        .toLowerCase()
        .optional()
        .meta({
          description: 'The block id. Default: a new UUID.',
          examples: [BLOCK_ID],
        }),
      type: z
        .string({ error: ({ input }) => (input === undefined ? 'is required.' : TYPE_MESSAGE) })
        .regex(/^[a-z0-9_\-]{1,32}$/v, TYPE_MESSAGE)
        .meta({
          description: TYPE_DESCRIPTION,
          maxLength: LIMITS.blockType,
          examples: ['text'],
        }),
      enabled: z
        .boolean('must be true or false.')
        .default(true)
        .meta({ description: 'Whether the block is shown.' }),
      content: limitedText(LIMITS.blockContent)
        .optional()
        .meta({
          description:
            'The text, in kinds that have one; in a link, event or countdown, used if there is no title.',
          examples: ['Hello!'],
        }),
      url: limitedText(LIMITS.url, URL_MESSAGE)
        .refine((url) => isWebUrl(url) || isContactUrl(url), URL_MESSAGE)
        .optional()
        .meta({
          description:
            'The link target, in kinds that have one: an http or https URL; in a link block also mailto, tel, sms, xmpp, matrix or geo.',
          examples: ['https://example.com'],
        }),
    },
    'must be an object.',
  )
  .superRefine((block, context) => {
    const addIssue = createIssueAdder(context);
    if (block.type === 'text' && block.content === undefined)
      addIssue(BLOCK_RULE_MESSAGES.textMissing, 'content');
    if (block.type === 'link' && block.url === undefined)
      addIssue(BLOCK_RULE_MESSAGES.linkMissing, 'url');
    const { allowsContact = false } = blockDefinition(block.type)?.fields['url'] ?? {};
    if (!allowsContact && block.url !== undefined && !isWebUrl(block.url))
      addIssue(URL_MESSAGE, 'url');
    const {
      id: _id,
      type: _type,
      enabled: _enabled,
      content: _content,
      url: _url,
      ...fields
    } = block;
    if (byteLength(JSON.stringify(fields)) > LIMITS.blockFieldsBytes)
      addIssue(BLOCK_RULE_MESSAGES.fieldsTooLarge);
  })
  .meta({
    id: 'BlockUpdate',
    description:
      'A content block to store. The server checks `id` (each once), `type`, `enabled`, `content` and `url`, none of which can be null, and that a `text` has `content` and a `link` a `url`. Other fields can have any value; a block that lacks one that its kind requires is stored but not shown, and `X-Ignored-Fields` names it.',
    examples: [{ type: 'text', content: 'Hello!', enabled: true }],
  });
export type BlockUpdate = z.output<typeof BlockUpdate>;

export const BlockUpdates = z
  .array(BlockUpdate, 'must be an array of blocks.')
  .max(LIMITS.blockEntries, BLOCK_RULE_MESSAGES.tooManyBlocks)
  .superRefine((blocks, context) => {
    const addIssue = createIssueAdder(context);
    const settingsCount = findPageSettingsIndex(blocks) < 0 ? 0 : 1;
    if (blocks.length - settingsCount > LIMITS.blocks) addIssue(BLOCK_RULE_MESSAGES.tooManyBlocks);
    const withoutIds = blocks.map((block) => ({ ...block, id: undefined }));
    if (byteLength(JSON.stringify(withoutIds)) > LIMITS.blocksBytes)
      addIssue(BLOCK_RULE_MESSAGES.blocksTooLarge);
    if (countMembers(withoutIds) > LIMITS.blocksMembers)
      addIssue(BLOCK_RULE_MESSAGES.tooManyMembers);
    const seenIds = new Set<string>();
    for (const [index, { id }] of blocks.entries()) {
      if (id !== undefined && seenIds.has(id))
        addIssue(BLOCK_RULE_MESSAGES.idRepeated, String(index), 'id');
      if (id !== undefined) seenIds.add(id);
    }
  });

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, item) => sum + countMembers(item), 1 + keys);
}

export const Block = z
  .looseObject({
    id: idField('The id of the block.', BLOCK_ID),
    type: textField(TYPE_DESCRIPTION, LIMITS.blockType, 'text'),
    enabled: z.boolean().meta({ description: 'Whether the block is shown.' }),
    content: z
      .string()
      .optional()
      .meta({
        description:
          'The text, in kinds that have one; in a link, event or countdown, used if there is no title.',
        maxLength: LIMITS.blockContent,
        examples: ['Hello!'],
      }),
    url: z
      .string()
      .optional()
      .meta({
        description: 'The link target, in kinds that have one.',
        maxLength: LIMITS.url,
        examples: ['https://example.com'],
      }),
  })
  .meta({
    id: 'Block',
    description:
      'A stored content block. Blocks other than text and link can lack fields, or have values that the page ignores.',
    examples: [
      {
        id: BLOCK_ID,
        type: 'text',
        content: 'Hello!',
        enabled: true,
      },
    ],
  });
export type Block = z.infer<typeof Block>;
