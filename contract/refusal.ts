import type { Translator } from '#translations/translator.ts';

/** The names of the placeholders in a message, such as `wait` in `Try again in {wait}.` */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/**
 * A value for each placeholder of a message, or a function that returns the value in the language
 * of a translator.
 */
export type PlaceholderValues<Message extends string> = Readonly<
  Record<Placeholder<Message>, string | number | ((t: Translator) => string)>
>;

/** A declared error of an endpoint. The server, the documents and the SDK all use this declaration. */
export interface Refusal<Status extends number = number, Message extends string = string> {
  readonly status: Status;
  /** The condition, as a sentence for the documents. */
  readonly when: string;
  /** The error message of the response, with `{placeholders}`. */
  readonly message: Message;
  /** Placeholder values for the documents. */
  readonly example: PlaceholderValues<Message>;
  /** The request field at fault. */
  readonly field?: string;
}

/** Refusals by error code. Codes are stable: never rename one. */
export type Refusals = Readonly<Record<string, Refusal>>;

/** Declares a refusal. A message with placeholders needs an example. */
export function refusal<Status extends number, Message extends string>(
  status: Status,
  when: string,
  message: Message,
  ...[example]: [Placeholder<Message>] extends [never]
    ? [example?: PlaceholderValues<Message>]
    : [example: PlaceholderValues<Message>]
): Refusal<Status, Message> {
  return { status, when, message, example: example ?? ({} as PlaceholderValues<Message>) };
}

/** Adds the request field at fault to a refusal. */
export function forField<Declared extends Refusal>(field: string, baseRefusal: Declared): Declared {
  return { ...baseRefusal, field };
}

/** Declares the 404 for the field `<noun>_id`. */
export function notFound(noun: string) {
  return forField(
    `${noun}_id`,
    refusal(404, `The account has no ${noun} with this id.`, `You have no such ${noun}.`),
  );
}

/** A message stored as code and values, so that each reader gets it in their language. */
export interface StoredMessage {
  code: string;
  values?: Readonly<Record<string, unknown>>;
}

/** Replaces the placeholders of a message. */
export function formatMessage(message: string, values: Readonly<Record<string, unknown>>): string {
  return message.replace(/\{(\w+)\}/g, (_match, name: string) => String(values[name]));
}
