import format, { type CompiledMessage } from 'icu-minify/format';
import { dateTimeFormat, numberFormat, pluralRules } from '#contract/shared/intl-formats.ts';

type Value = string | number | Date;

/** Names of the arguments in an ICU message: `count` in `{count, plural, other {# links}}`. */
type Argument<Text extends string> = Text extends `${string}{${infer Rest}`
  ? ParseArgument<Rest> | Argument<Rest>
  : never;
/** Parses the text after a `{`: either `count}` or `count, plural, …}`. */
type ParseArgument<Text extends string> = Text extends `${infer Content}}${string}`
  ? Content extends `${infer Name}, ${string}`
    ? SkipBranch<Name>
    : SkipBranch<Content>
  : never;
/** A `{` also opens the branches of a plural. Only branches contain a space or `#`. */
type SkipBranch<Name extends string> = Name extends `${string}${' ' | '#'}${string}` ? never : Name;
/** Names of the tags: `link` in `See <link>the terms</link>.` */
type Tag<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Tag<Rest>
  : never;

type Values<Text extends string> = { readonly [Name in Argument<Text>]: Value };

/**
 * Translates an English text in the ICU message format. The text must be a string literal: a test
 * collects all texts, and the dashboard's bundler replaces them. In `noun|Open`, `noun` is context
 * for translators, which users do not see.
 */
export interface Translator {
  <Text extends string>(
    text: Text,
    // oxlint-disable-next-line typescript/no-generated-empty-object-type -- only before inference
    ...[values]: [Argument<Text>] extends [never] ? [] : [values: Values<Text>]
  ): string;
  /**
   * Also replaces tags: `link` gets the children of `<link>the terms</link>` and returns a node. An
   * empty tag inserts a node: `At <time></time>`.
   */
  rich: <Node, Text extends string>(
    text: Text,
    values: Values<Text> & Readonly<Record<Tag<Text>, (children: (string | Node)[]) => Node>>,
  ) => (string | Node)[];
  /** The BCP 47 tag for `Intl`. */
  readonly locale: string;
}

const formatters = {
  getDateTimeFormat: dateTimeFormat,
  getNumberFormat: numberFormat,
  getPluralRules: pluralRules,
};

export function createTranslator(
  locale: string,
  compileText: (text: string) => CompiledMessage,
): Translator {
  const formatText = (text: string, values: Record<string, never> = {}) =>
    format(compileText(text), locale, values, { formatters });
  const rich = (...args: Parameters<typeof formatText>) => [formatText(...args)].flat();
  return Object.assign(formatText, { rich, locale }) as unknown as Translator;
}
