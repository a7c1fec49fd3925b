import { UNAUTHORIZED, type RouteMetadata } from '../contract/errors.ts';
import type { ComponentCollector } from './components.ts';
import { sharedErrors, writeRefusals } from './examples/every-operation.ts';
import type { Example } from './examples/example.ts';
import { examples } from './examples/index.ts';
import { headersOf } from './headers.ts';
import type { JsonObject } from './json.ts';
import { links } from './links.ts';
import type { OperationId } from './operation-id.ts';

interface StatusText {
  /** The name of the response component; the operation's name goes before it unless it is shared. */
  name: string;
  description: string;
  shared?: true;
}

const STATUSES: Readonly<Record<number, StatusText>> = {
  200: { name: 'Ok', description: '' },
  400: { name: 'BadRequest', description: 'The request is not valid; the sentence says why.' },
  401: { name: 'Unauthorized', description: 'The API key is missing or not valid.', shared: true },
  403: { name: 'Forbidden', description: 'The project does not belong to the account.' },
  404: { name: 'NotFound', description: 'The profile of the account could not be found.' },
  409: { name: 'Conflict', description: 'The name is reserved or taken.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.', shared: true },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.', shared: true },
  429: {
    name: 'TooManyRequests',
    description: 'More requests than the operator allows. No limit is set by default.',
    shared: true,
  },
  500: { name: 'InternalServerError', description: 'The server or a service behind it failed.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The server is overloaded or stopping.',
    shared: true,
  },
};

/** The operation that an answer belongs to. */
export interface Answering {
  id: OperationId;
  write: boolean;
  texts: RouteMetadata;
}

/** The answer of an operation with a status, by reference. */
export function answer(
  operation: Answering,
  status: number,
  schema: JsonObject,
  components: ComponentCollector,
): JsonObject {
  const text = STATUSES[status];
  if (text === undefined) throw new Error(`The status ${status} has no description.`);
  const link = status === 200 ? links[operation.id] : undefined;
  return components.response(componentName(operation, status, text), {
    description: text.description || components.description(schema),
    headers: headersOf(operation.write, status),
    content: {
      'application/json': { schema, examples: components.refer(answers(operation, status)) },
    },
    ...(link && { links: link }),
  });
}

function componentName({ id, texts }: Answering, status: number, text: StatusText): string {
  if (status === 401) return texts.unauthorized === UNAUTHORIZED ? 'Unauthorized' : 'KeyRequired';
  return text.shared ? text.name : `${pascal(id)}${text.name}`;
}

function answers({ id, write, texts }: Answering, status: number): readonly Example[] {
  const own = examples[id];
  if (status === 200) return [own.answer];
  if (status === 401) return [keyRefused(texts.unauthorized)];
  const shared = sharedErrors[status];
  if (shared !== undefined) return [shared];
  const errors = own.errors[status];
  if (status === 400 && errors !== undefined) return write ? [...errors, ...writeRefusals] : errors;
  if (errors !== undefined) return errors;
  if (status !== 500) throw new Error(`${id} has no example of its ${status}.`);
  return [
    {
      name: `${pascal(id)}Failed`,
      summary: 'Something failed; the cause is in the log of the server.',
      value: { error: texts.failure },
    },
  ];
}

function keyRefused(sentence: string): Example {
  return {
    name: sentence === UNAUTHORIZED ? 'KeyRefused' : 'KeyRequired',
    summary: 'The key is missing, not valid or revoked.',
    value: { error: sentence },
  };
}

function pascal(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
