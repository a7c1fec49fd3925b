import format, { type CompiledMessage } from 'icu-minify/format';

type Value = string | number | Date;

/** Names of the arguments in an ICU message: `count` in `{count, plural, other {# links}}`. */
type Argument<Text extends string> = Text extends `${string}{${infer Rest}`
  ? NameBefore<Rest> | Argument<Rest>
  : never;
/** Branches of a plural contain spaces, and the names of arguments do not. */
type NameBefore<Text extends string> = Text extends `${infer Name}}${string}`
  ? Name extends `${infer Typed}, ${string}`
    ? WithoutSpace<Typed>
    : WithoutSpace<Name>
  : never;
type WithoutSpace<Name extends string> = Name extends `${string}${' ' | '#'}${string}`
  ? never
  : Name;
/** Names of the tags: `link` in `See <link>the terms</link>.` */
type Tag<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Tag<Rest>
  : never;

type Values<Text extends string, V> = Readonly<Record<Argument<Text>, V>>;

/**
 * Translates an English text in the ICU message format. The first argument has to be a string
 * literal, so that the texts can be found and, in the dashboard, replaced. `noun|Open` gives
 * translators the context `noun`, which people do not see.
 */
export interface Translator {
  <Text extends string>(
    text: Text,
    ...[values]: [Argument<Text>] extends [never] ? [] : [values: Values<Text, Value>]
  ): string;
  /** Like the function itself, for texts with tags. Inserts nodes by tags: `At <time></time>`. */
  rich: <Node, Text extends string>(
    text: Text,
    values: Values<Text, Value> &
      Readonly<Record<Tag<Text>, (children: (string | Node)[]) => Node>>,
  ) => (string | Node)[];
  /** The BCP 47 tag for `Intl`. */
  readonly locale: string;
}

const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) =>
    new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) =>
    new Intl.PluralRules(...args),
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
