import type { FastifyRequest } from 'fastify';
import {
  formatMessage,
  type PlaceholderValues,
  type Refusal,
  type Refusals,
  type StoredMessage,
} from '#contract/refusal.ts';
import { isTemporary } from '#db/sql-state.ts';
import type { Translator } from '#translations/translator.ts';
import { translateFieldMessage, translatorFor } from './text/language.ts';

/** A value is a function if it depends on the language: the function takes a translator. */
type MessageValues = Readonly<Record<string, unknown>>;

export const RETRY_SOON = { 'retry-after': '1' };

export type RefusalDetails = {
  headers?: Record<string, string>;
  /** The effect may have happened, so a retry could repeat it. */
  outcomeUnknown?: boolean;
  /** Paths of the fields at fault; the message explains the first. Default: the declared field. */
  fields?: readonly string[];
  cause?: unknown;
};

/** A refusal that an endpoint declares. The response has its status, code and message. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly code: string;
  readonly status: number;
  readonly fields: readonly string[];
  readonly headers: Record<string, string>;
  readonly outcomeUnknown: boolean;
  readonly #message: string;
  readonly #placeholders: MessageValues;

  constructor(code: string, refusal: Refusal, details: RefusalDetails) {
    const { headers = {}, outcomeUnknown = false, fields, cause, ...placeholders } = details;
    super(formatMessage(refusal.message, resolveValues(placeholders, translatorFor('en'))), {
      cause,
    });
    this.#message = refusal.message;
    this.#placeholders = placeholders;
    this.code = code;
    this.status = refusal.status;
    this.fields = fields ?? (refusal.field === undefined ? [] : [refusal.field]);
    this.headers = headers;
    this.outcomeUnknown = outcomeUnknown;
  }

  /** The code and the values of the message, in English. */
  toStored(): StoredMessage {
    return { code: this.code, values: resolveValues(this.#placeholders, translatorFor('en')) };
  }

  messageIn(t: Translator): string {
    const values = resolveValues(this.#placeholders, t);
    return translateFieldMessage(t, this.fields[0], this.#message, values);
  }
}

function resolveValues(values: MessageValues, t: Translator): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? value(t) : value,
    ]),
  );
}

/** Returns the message in the reader's language for our own pages, and in English for API clients. */
export function messageFor(request: FastifyRequest, refusal: RefusalError): string {
  return isFromOwnPage(request) ? refusal.messageIn(request.t) : refusal.message;
}

type RefuseArguments<Declared extends Refusals> = {
  [Code in keyof Declared & string]: [keyof Declared[Code]['example']] extends [never]
    ? [code: Code, details?: RefusalDetails]
    : [code: Code, details: PlaceholderValues<Declared[Code]['message']> & RefusalDetails];
}[keyof Declared & string];

/** Undeclared codes and missing message parameters do not compile. */
export type Refuse<Declared extends Refusals> = (
  ...args: RefuseArguments<Declared>
) => RefusalError;

export function createRefuser<Declared extends Refusals>(declared: Declared): Refuse<Declared> {
  return (code: string, details: RefusalDetails = {}) =>
    new RefusalError(code, declared[code]!, details);
}

/** Adds `Retry-After` if the failure is temporary. */
export function failureDetails(cause: unknown): RefusalDetails {
  return { cause, ...(isTemporary(cause) && { headers: RETRY_SOON }) };
}

export function isFromOwnPage(request: Pick<FastifyRequest, 'headers'>): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin';
}
