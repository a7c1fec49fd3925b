import {
  formatMessage,
  type PlaceholderValues,
  type Refusal,
  type Refusals,
} from '#contract/refusal.ts';
import { isTemporary } from '#db/sql-state.ts';

/** Said with what passes by itself. */
export const RETRY_SOON = { 'retry-after': '1' };

/** Circumstances of one refusal, beside what its code says. */
export type Circumstances = {
  headers?: Record<string, string>;
  /** Whether the effect may have happened all the same, so that a repeat could do it twice. */
  outcomeUnknown?: boolean;
  /** The path of the field in the request that it is about, if the declaration names none. */
  field?: string | undefined;
  cause?: unknown;
};

/** A declared refusal as it is thrown: every entry point answers it with its sentence. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly headers: Record<string, string>;
  readonly outcomeUnknown: boolean;

  constructor(code: string, refusal: Refusal, about: Circumstances) {
    const { headers = {}, outcomeUnknown = false, field, cause, ...filling } = about;
    super(formatMessage(refusal.message, filling), { cause });
    this.code = code;
    this.status = refusal.status;
    this.field = field ?? refusal.field;
    this.headers = headers;
    this.outcomeUnknown = outcomeUnknown;
  }
}

type Told<Declared extends Refusals> = {
  [Code in keyof Declared & string]: [keyof Declared[Code]['example']] extends [never]
    ? [code: Code, about?: Circumstances]
    : [code: Code, about: PlaceholderValues<Declared[Code]['message']> & Circumstances];
}[keyof Declared & string];

/** Makes the error of a declared refusal; what is not declared, or lacks a filling, does not compile. */
export type Refuse<Declared extends Refusals> = (...told: Told<Declared>) => RefusalError;

/** Refuses by the codes of these refusals, in their words. */
export function refuserOf<Declared extends Refusals>(declared: Declared): Refuse<Declared> {
  return (code: string, about: Circumstances = {}) =>
    new RefusalError(code, declared[code]!, about);
}

/** Circumstances of a failure: its cause, and that a repeat can help if it passes by itself. */
export function failedBy(cause: unknown): Circumstances {
  return { cause, ...(isTemporary(cause) && { headers: RETRY_SOON }) };
}
