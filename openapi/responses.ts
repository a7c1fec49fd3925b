import { STATUS_CODES } from 'node:http';
import type { RouteMetadata } from '../contract/area.ts';
import { fill, type Refusal } from '../contract/refusal.ts';
import type { ComponentCollector } from './components.ts';
import type { Example } from './examples/example.ts';
import { examples } from './examples/index.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './json.ts';
import { links } from './links.ts';
import type { OperationId } from './operation-id.ts';

/** The operation that an answer belongs to. */
export interface Answering {
  id: OperationId;
  write: boolean;
  metadata: RouteMetadata;
}

/** The answer of an operation with a status, by reference. */
export function answer(
  operation: Answering,
  status: number,
  schema: JsonObject,
  components: ComponentCollector,
): JsonObject {
  const refusals = refusalsOf(operation.metadata, status);
  const answers =
    status === 200
      ? [examples[operation.id].answer]
      : refusals.map(([code, refusal]) => exampleOf(operation.id, code, refusal));
  const whens = refusals.map(([, { when }]) => when);
  const link = status === 200 ? links[operation.id] : undefined;
  return components.response(componentName(operation, status), {
    description: status === 200 ? components.description(schema) : whens.join(' '),
    headers: headersOf(operation.write, status),
    content: { 'application/json': { schema, examples: components.refer(answers) } },
    ...(link && { links: link }),
  });
}

/** An operation's refusals with a status, its own first. */
function refusalsOf({ refusals, shared }: RouteMetadata, status: number): [string, Refusal][] {
  return Object.entries({ ...refusals, ...shared }).filter(([, each]) => each.status === status);
}

/** What is the same for many operations is named after its only refusal or its status alone. */
function componentName({ id, metadata }: Answering, status: number): string {
  const phrase = status === 200 ? 'Ok' : STATUS_CODES[status]!.replaceAll(' ', '');
  const [first, ...more] = refusalsOf(metadata, status);
  const isShared =
    refusalsOf({ ...metadata, shared: { failed: metadata.shared.failed } }, status).length === 0;
  if (status === 200 || !isShared) return `${pascal(id)}${phrase}`;
  return first && more.length === 0 ? pascal(first[0]) : phrase;
}

/** Every operation fails in words of its own. */
function exampleOf(id: OperationId, code: string, { when, sentence, example }: Refusal): Example {
  return {
    name: code === 'failed' ? `${pascal(id)}Failed` : pascal(code),
    summary: when,
    value: { error: fill(sentence, example) },
  };
}

function pascal(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
