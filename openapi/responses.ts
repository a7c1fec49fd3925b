import { STATUS_CODES } from 'node:http';
import type { RouteMetadata } from '#contract/define-endpoints.ts';
import { formatMessage, type Refusal } from '#contract/refusal.ts';
import type { ComponentCollector } from './components.ts';
import type { Example } from './examples.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './json.ts';
import { isOpen, type Operation } from './walk.ts';
import { examplesOf, type Words } from './words.ts';

/** The answer of an operation with a status, by reference. */
export function response(
  operation: Operation,
  status: number,
  words: Words,
  components: ComponentCollector,
): JsonObject {
  const { id, route, responses } = operation;
  const schema = responses[status] ?? '';
  const refusals = refusalsOf(route.metadata, status);
  const whens = refusals.map(([, { when }]) => when);
  const answers = refusals.map(([code, refusal]) => exampleOf(id, code, refusal));
  const succeeds = status === 200;
  return components.response(componentName(operation, status), {
    description: succeeds ? components.description(schema) : whens.join(' '),
    headers: headersOf(status, isStored(operation, status), refusals),
    content:
      succeeds && route.metadata.file !== undefined
        ? Object.fromEntries(
            route.metadata.file.map((type) => [
              type,
              { schema: { $ref: `#/components/schemas/${schema}` } },
            ]),
          )
        : {
            'application/json': {
              schema: { $ref: `#/components/schemas/${schema}` },
              examples: components.refer(succeeds ? [examplesOf(words, id).answer] : answers),
            },
          },
    ...(succeeds && words.links[id] && { links: words.links[id] }),
  });
}

/** Whether an answer with a status may be repeated: one to a write that its endpoint gives, and that does not pass by itself. */
function isStored({ method, route }: Operation, status: number): boolean {
  if (method === 'GET' || status === 429 || status >= 500) return false;
  const own = Object.values(route.metadata.refusals);
  return status === 200 || status === 400 || own.some((refusal) => refusal.status === status);
}

/** An operation's refusals with a status, its own first. */
function refusalsOf({ refusals, shared }: RouteMetadata, status: number): [string, Refusal][] {
  return Object.entries({ ...refusals, ...shared }).filter(([, each]) => each.status === status);
}

/** Name of a response that many operations share: its only refusal, or its status alone. */
function componentName(operation: Operation, status: number): string {
  const { id, method, route } = operation;
  const phrase = status === 200 ? 'Ok' : (STATUS_CODES[status] ?? '').replaceAll(' ', '');
  const { refusals, shared } = route.metadata;
  const own = Object.values({ ...refusals, internalError: shared.internalError });
  if (status === 200 || own.some((refusal) => refusal.status === status))
    return `${pascal(id)}${phrase}`;
  const [first, ...more] = refusalsOf(route.metadata, status);
  if (first !== undefined && more.length === 0) return pascal(first[0]);
  if (isOpen(operation)) return `${phrase}ToGetIn`;
  if (isAsked(operation)) return `${phrase}ToAsk`;
  // Writes have more in common than reads.
  return method === 'GET' ? `${phrase}ToRead` : phrase;
}

/** Every operation fails in words of its own. */
function exampleOf(id: string, code: string, { when, sentence, example }: Refusal): Example {
  return {
    name: code === 'internalError' ? `${pascal(id)}Failed` : pascal(code),
    summary: when,
    value: { error: formatMessage(sentence, example) },
  };
}

function pascal(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Whether a body only says what is asked for: then nothing is stored for a repeat. */
function isAsked({ method, route }: Operation): boolean {
  const stores = 'storedAnswerLimitReached' in route.metadata.shared;
  return method !== 'GET' && route.metadata.scope === 'read' && !stores;
}
