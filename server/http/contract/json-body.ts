import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { LIMITS } from '../../../contract/limits.ts';
import { EVERY_WRITE, EXACT_INTEGERS } from '../../../contract/request-refusals.ts';
import { refuserOf } from '../../service/refusal.ts';
import { findRoute } from './adapter.ts';
import { findInexactInteger } from './inexact-integer.ts';
import { countMembers } from './json-members.ts';

const refuse = refuserOf({ ...EVERY_WRITE, ...EXACT_INTEGERS });

/** Nothing but what JSON takes for white space. */
const BLANK = /^[ \t\n\r]*$/;

/**
 * Replaces the framework's body parsers by one for JSON. An empty body is no body; what could not
 * be stored and returned exactly is refused with 400: invalid UTF-8, NUL, lone surrogates, numbers
 * beyond a double, `__proto__` and `constructor.prototype` keys, nesting that is too deep, too many
 * keys and values, and where
 * an endpoint passes numbers on untouched, integers that a double does not hold.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytes },
    (request, body, done) => {
      try {
        done(null, parseJson(body as Buffer, findRoute(request)?.metadata.exact));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Parses a request body, the integers in one field of it exactly; undefined if it is blank. */
export function parseJson(body: Buffer, exact: string | undefined): unknown {
  if (!isUtf8(body)) throw refuse('notUtf8');
  const text = body.toString('utf8');
  if (BLANK.test(text)) return undefined;
  // Each takes two bytes at least.
  if (body.length > 2 * LIMITS.jsonMembers && countMembers(body) > LIMITS.jsonMembers)
    throw refuse('tooManyMembers');
  const value = parse(text);
  refuseUnstorable(value);
  const path = exact && findInexactInteger(text, exact);
  if (path) throw refuse('integerInexact', { path });
  return value;
}

function parse(text: string): unknown {
  try {
    return secureJson.parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw refuse(isJson(text) ? 'jsonKeyForbidden' : 'jsonMalformed');
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Walks a parsed value without recursion, which deep nesting would overflow. */
function refuseUnstorable(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') refuseText(value);
      else if (typeof value === 'number' && !Number.isFinite(value)) throw refuse('numberTooLarge');
      else if (typeof value === 'object' && value !== null) {
        if (depth > LIMITS.jsonDepth) throw refuse('nestingTooDeep');
        if (Array.isArray(value)) for (const item of value) next.push(item);
        else
          for (const [key, item] of Object.entries(value)) {
            refuseText(key);
            next.push(item);
          }
      }
    }
    level = next;
  }
}

function refuseText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw refuse('textUnsupported');
}
