/** The names in braces of a sentence. */
type Placeholder<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Values for the gaps of a sentence. */
export type PlaceholderValues<Sentence extends string> = Readonly<
  Record<Placeholder<Sentence>, string | number>
>;

/** Why a request is not done, as every entry point and every document says it. */
export interface Refusal<Status extends number = number, Sentence extends string = string> {
  readonly status: Status;
  /** When it happens, as a sentence for the documents. */
  readonly when: string;
  /** The `error` of the answer; what stands in braces is filled in. */
  readonly sentence: Sentence;
  /** Values that the documents show. */
  readonly example: PlaceholderValues<Sentence>;
  /** The field of the request that it is about. */
  readonly field?: string;
  /** Whether the schema of the request refuses `field` by this name. */
  readonly bySchema?: true;
}

/** Refusals by their codes, which name them for good. */
export type Refusals = Readonly<Record<string, Refusal>>;

/** Declares a refusal; a sentence with names in braces needs an example of what they stand for. */
export function refusal<Status extends number, Sentence extends string>(
  status: Status,
  when: string,
  sentence: Sentence,
  ...[example]: [Placeholder<Sentence>] extends [never]
    ? [example?: PlaceholderValues<Sentence>]
    : [example: PlaceholderValues<Sentence>]
): Refusal<Status, Sentence> {
  return { status, when, sentence, example: example ?? ({} as PlaceholderValues<Sentence>) };
}

/** Declares the refusal of a top-level field by the schema of the request. */
export function invalidField<Sentence extends string>(
  field: string,
  when: string,
  sentence: Sentence,
): Refusal<400, Sentence> {
  const example = {} as PlaceholderValues<Sentence>;
  return { status: 400, when, sentence, example, field, bySchema: true };
}

/** The same refusal, about a field of the request. */
export function forField<Of extends Refusal>(field: string, of: Of): Of {
  return { ...of, field };
}

/** A sentence with its gaps filled. */
export function formatMessage(
  sentence: string,
  filling: Readonly<Record<string, unknown>>,
): string {
  return sentence.replace(/\{(\w+)\}/g, (_gap, name: string) => String(filling[name]));
}
