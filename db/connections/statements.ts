import { createHash } from 'node:crypto';
import { tracingChannel } from 'node:diagnostics_channel';

interface Statement {
  text: string;
}

/** Whoever listens is told of each statement: when it is sent, and what came of it. */
export const STATEMENTS = tracingChannel<unknown, Statement>('nameplate.statement');

/** First table of a statement. Functions have the word before them, too. */
const VERB_AND_OBJECT =
  /^\s*(?:(select)\b[^]*?\b(?:from|join)\s+"?([a-z]\w*)\b(?!\s*\()|(?:(insert)\s+into|(update)|(delete)\s+from|(with)(?:\s+recursive)?)\s+"?([a-z]\w*))/i;
/** PostgreSQL cuts off what is longer. */
const MAX_NAME = 63;
/** Length of the hash in characters: no two statements have the same. */
const HASH_CHARACTERS = 24;

/** Summarizes a statement in a few words: `select forwarding_settings`, `with claimed`, `commit`; nothing of its values. */
export function summarize(text: string): string {
  const [, ...words] = VERB_AND_OBJECT.exec(text) ?? [];
  const [verb = /\w+/.exec(text)?.[0] ?? '', object = ''] = words.filter((word) => word);
  return `${verb.toLowerCase()} ${object}`.trimEnd();
}

/** A name for a prepared statement that people can read, and that no other statement has. */
export function nameStatement(text: string): string {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH_CHARACTERS);
  return `${summarize(text).slice(0, MAX_NAME - HASH_CHARACTERS - 1)} ${hash}`;
}
