import { createHash } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';

interface Statement {
  text: string;
}

/** Publishes every statement for tracing. */
export const STATEMENTS = tracingChannel<unknown, Statement>('nameplate.statement');

/** The verb and first table of a statement. The lookahead skips functions after FROM. */
const VERB_AND_OBJECT =
  /^\s*(?:(select)\b[^]*?\b(?:from|join)\s+"?([a-z]\w*)\b(?!\s*\()|(?:(insert)\s+into|(update)|(delete)\s+from|(with)(?:\s+recursive)?)\s+"?([a-z]\w*))/i;
/** PostgreSQL truncates longer names. */
const MAX_NAME_BYTES = 63;
/** 144 bits, so that collisions are practically impossible. */
const HASH_CHARACTERS = 24;

/** For example `select accounts`, `with claimed` or `commit`. Never contains values. */
export function summarize(text: string): string {
  const [, ...words] = VERB_AND_OBJECT.exec(text) ?? [];
  const [verb = /\w+/.exec(text)?.[0] ?? '', object = ''] = words.filter((word) => word);
  return `${verb.toLowerCase()} ${object}`.trimEnd();
}

export function nameStatement(text: string): string {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH_CHARACTERS);
  return `${summarize(text).slice(0, MAX_NAME_BYTES - HASH_CHARACTERS - 1)} ${hash}`;
}
