import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(WRITE_REFUSALS);

const ONLY_JSON_WHITESPACE = /^[ \t\n\r]*$/;

const NOT_JSON = Symbol('not JSON');

/** In characters. */
const MAX_SHOWN_PATH = 200;

export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify refuses a malformed content type even if there is no body.
    if (!request.mediaType) delete request.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', parseOtherType);
  // After an error of a parser, Fastify would close the connection.
  app.addHook('preValidation', ({ body }, _reply, done) =>
    done(body === NOT_JSON ? new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE() : undefined),
  );
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytes },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );
}

/**
 * Tools such as `curl -d ''` and proxies send a content type or chunks without a body. Waits for the
 * first byte only if no `Content-Length` says that there is one.
 */
async function parseOtherType(
  { headers: { 'content-length': length = '0' } }: FastifyRequest,
  body: IncomingMessage,
): Promise<typeof NOT_JSON | undefined> {
  if (Number(length) > 0) return NOT_JSON;
  const [chunk] = await Promise.race([once(body, 'data'), once(body, 'end')]);
  return chunk === undefined ? undefined : NOT_JSON;
}

/**
 * Refuses JSON that cannot be stored and returned unchanged. Returns undefined for a blank body.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw refuse('notUtf8');
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (ONLY_JSON_WHITESPACE.test(text)) return undefined;
  // Each key or value takes at least two bytes, so short bodies need no count.
  if (body.length > 2 * LIMITS.jsonMembers && countJsonMembers(body) > LIMITS.jsonMembers)
    throw refuse('tooManyMembers');
  const value = parseOrRefuse(text);
  if (assertShape(value).mayNotRoundTrip) refuseUnstorable(text);
  return value;
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const problem = findNonNumber(text) ?? describeSyntaxError(error as SyntaxError);
    throw refuse('jsonMalformed', { problem });
  }
}

/** Python writes these numbers. The pattern also matches strings, to skip what is in them. */
const STRING_OR_NON_NUMBER = /"(?:[^"\\]|\\[^])*"?|-?\b(?<name>NaN|Infinity)\b/g;

function findNonNumber(text: string): string | undefined {
  for (const { 0: value, index, groups } of text.matchAll(STRING_OR_NON_NUMBER))
    if (groups?.['name']) {
      const lines = text.slice(0, index).split('\n');
      return `${value} is not JSON; send null (line ${lines.length} column ${lines.at(-1)!.length + 1})`;
    }
  return undefined;
}

/** V8's message without its excerpt of the body, which may be secret. */
function describeSyntaxError({ message }: SyntaxError): string {
  const problem = message.replace(/ in JSON at position \d+| is not valid JSON$/, '');
  return problem.replace(/, (?:\.{3})?".*/s, '');
}

/**
 * Refuses depth and keys. `mayNotRoundTrip` if a number may be rounded, or a text cannot be stored.
 * Not recursive, because deep nesting would overflow the stack.
 */
function assertShape(root: unknown): { mayNotRoundTrip: boolean } {
  let mayNotRoundTrip = false;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') mayNotRoundTrip ||= !isStorable(value);
      else if (typeof value === 'number')
        mayNotRoundTrip ||= Math.abs(value) > Number.MAX_SAFE_INTEGER;
      else if (typeof value === 'object' && value !== null) {
        if (depth > LIMITS.jsonDepth) throw refuse('nestingTooDeep');
        if (Array.isArray(value)) for (const item of value) next.push(item);
        else
          for (const [key, item] of Object.entries(value)) {
            refuseKey(key, item);
            mayNotRoundTrip ||= !isStorable(key);
            next.push(item);
          }
      }
    }
    level = next;
  }
  return { mayNotRoundTrip };
}

/** Refuses the first value that cannot be stored, with its path. */
function refuseUnstorable(text: string): void {
  const found = findFault(JSON.parse(text, markNumber));
  if (!found) return;
  // A response cannot have what makes a key unsupported.
  const field = found.path.join('.').toWellFormed().replaceAll('\0', '');
  throw refuse(found.code, {
    field: field.slice(-MAX_SHOWN_PATH) || 'The request body',
    fields: field ? [field] : [],
  });
}

type FaultCode = 'textUnsupported' | 'numberTooLarge' | 'integerTooLarge';

class NumberFault {
  readonly code: FaultCode;

  constructor(code: FaultCode) {
    this.code = code;
  }
}

/**
 * Replaces a number that cannot be stored. One with a fraction or an exponent is floating point,
 * however large. Reads the source text: an integer is kept if it is not rounded, such as 1e20 as a
 * response writes it. Most ids that a client has rounded are refused: it writes other digits.
 * TypeScript does not know the third parameter yet.
 */
function markNumber(_key: string, value: unknown, { source = '' } = {}): unknown {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return new NumberFault('numberTooLarge');
  const isInteger = /^-?\d+$/.test(source);
  return isInteger && BigInt(source) !== BigInt(value) ? new NumberFault('integerTooLarge') : value;
}

/** Recursive: the depth has been checked. */
function findFault(
  value: unknown,
  path: readonly string[] = [],
): { code: FaultCode; path: readonly string[] } | undefined {
  if (value instanceof NumberFault) return { code: value.code, path };
  if (typeof value === 'string' && !isStorable(value)) return { code: 'textUnsupported', path };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const itemPath = [...path, key];
    const code = 'textUnsupported';
    const found = isStorable(key) ? findFault(item, itemPath) : ({ code, path: itemPath } as const);
    if (found) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Refuses keys that could change an object's prototype when it is copied. */
function refuseKey(key: string, value: unknown): void {
  const isConstructor = key === 'constructor' && typeof value === 'object' && value !== null;
  if (key === '__proto__' || (isConstructor && Object.hasOwn(value, 'prototype')))
    throw refuse('jsonKeyForbidden');
}

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = Buffer.from('"\\,: ');
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');

/**
 * Counts the keys and values at all levels. Scans the unparsed JSON, because parsing many different
 * keys is about a hundred times slower.
 */
export function countJsonMembers(json: Buffer): number {
  let count = 1;
  let previousByte: number | undefined;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]!;
    if (byte <= SPACE!) continue;
    if (byte === QUOTE) index = findStringEnd(json, index);
    // An opening bracket counts the first item, a comma each later one, and a colon the value of a
    // key. Empty brackets are subtracted below.
    else if (byte === COMMA || byte === COLON || byte === OPEN_ARRAY || byte === OPEN_OBJECT)
      count += 1;
    else if (byte === CLOSE_ARRAY && previousByte === OPEN_ARRAY) count -= 1;
    else if (byte === CLOSE_OBJECT && previousByte === OPEN_OBJECT) count -= 1;
    previousByte = byte;
  }
  return count;
}

function findStringEnd(json: Buffer, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    if (json[index] === QUOTE) return index;
    if (json[index] === BACKSLASH) index += 1;
  }
  return json.length;
}
