import { z } from 'zod';
import { formatLimit } from './shared/limits.ts';
import { countCodePoints } from './text.ts';

/** Discord's documented limits. Lengths are in code points after trimming. */
const DISCORD_LIMITS = {
  content: 2_000,
  embeds: 10,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  footer: 2_048,
  author: 256,
  /** Total length of all text in a message's embeds. */
  embedsTotal: 6_000,
} as const;

function optionalText(max: number, description: string, examples?: string[]) {
  return z
    .string('must be a string.')
    .refine(
      (text) => countCodePoints(text.trim()) <= max,
      `must be at most ${formatLimit(max)} characters long.`,
    )
    .nullish()
    .meta({
      description: `${description} At most ${formatLimit(max)} characters, not counting white space around it.`,
      ...(examples && { examples }),
    });
}

const EmbedField = z
  .looseObject(
    {
      name: optionalText(DISCORD_LIMITS.fieldName, 'The heading of the field.'),
      value: optionalText(DISCORD_LIMITS.fieldValue, 'The text.'),
    },
    'must be an object.',
  )
  .meta({ id: 'EmbedField', description: 'A field of an embed.' });

const Embed = z
  .looseObject(
    {
      title: optionalText(DISCORD_LIMITS.title, 'The title of the embed.', ['Release 1.2']),
      description: optionalText(DISCORD_LIMITS.description, 'The text of the embed.', [
        'Now with themes.',
      ]),
      fields: z
        .array(EmbedField, 'must be an array.')
        .max(DISCORD_LIMITS.fields, `must contain at most ${DISCORD_LIMITS.fields} fields.`)
        .nullish()
        .meta({ description: 'Short texts, each with a heading.' }),
      footer: z
        .looseObject(
          { text: optionalText(DISCORD_LIMITS.footer, 'The text.') },
          'must be an object.',
        )
        .meta({ id: 'EmbedFooter', description: 'The footer of an embed.' })
        .nullish()
        .meta({ description: 'The footer of the embed.' }),
      author: z
        .looseObject(
          { name: optionalText(DISCORD_LIMITS.author, 'The name.') },
          'must be an object.',
        )
        .meta({ id: 'EmbedAuthor', description: 'The author of an embed.' })
        .nullish()
        .meta({ description: 'The author of the embed.' }),
    },
    'must be an object.',
  )
  .meta({
    id: 'Embed',
    description: 'An embed. All keys are passed on to Discord.',
    examples: [{ title: 'Release 1.2', description: 'Now with themes.' }],
  });

function embedsLength(embeds: readonly z.infer<typeof Embed>[]): number {
  return embeds
    .flatMap((embed) => [
      embed.title,
      embed.description,
      embed.footer?.text,
      embed.author?.name,
      ...(embed.fields ?? []).flatMap((field) => [field.name, field.value]),
    ])
    .reduce((total, text) => total + countCodePoints((text ?? '').trim()), 0);
}

export const EMBEDS_TOO_LONG_ERROR = `must have at most ${formatLimit(DISCORD_LIMITS.embedsTotal)} characters in total, counting all texts in all embeds.`;
export const EMPTY_MESSAGE_ERROR = 'The payload must have content or at least one embed.';

export const ChatMessage = z
  .looseObject(
    {
      content: optionalText(DISCORD_LIMITS.content, 'The text of the message.', [
        'Hello from Nameplate!',
      ]),
      embeds: z
        .array(Embed, 'must be an array of objects.')
        .max(DISCORD_LIMITS.embeds, `must contain at most ${DISCORD_LIMITS.embeds} embeds.`)
        .nullish()
        .meta({
          description: `Rich content. All texts in all embeds together can have at most ${formatLimit(DISCORD_LIMITS.embedsTotal)} characters.`,
        }),
    },
    EMPTY_MESSAGE_ERROR,
  )
  .superRefine((message, context) => {
    if (!message.content?.trim() && !message.embeds?.length)
      context.addIssue({ code: 'custom', message: EMPTY_MESSAGE_ERROR });
    if (embedsLength(message.embeds ?? []) > DISCORD_LIMITS.embedsTotal)
      context.addIssue({ code: 'custom', path: ['embeds'], message: EMBEDS_TOO_LONG_ERROR });
  })
  .meta({
    id: 'ChatMessage',
    description:
      'A message with content or at least one embed; all keys are passed on to Discord. Send integers beyond ±(2^53 - 1), such as ids, as strings.',
    examples: [{ content: 'Hello from Nameplate!' }],
  });
export type ChatMessage = z.infer<typeof ChatMessage>;
