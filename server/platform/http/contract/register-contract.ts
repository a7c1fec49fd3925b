import type { AppRouter, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, Contract, Route } from '#contract/define-endpoints.ts';
import { findIgnoredFields } from '#contract/ignored-fields.ts';
import type { Refusal } from '#contract/refusal.ts';
import { WRITE_REFUSALS } from '#contract/request-refusals.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import type { Database, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { Caller } from '#server/platform/caller.ts';
import type { LoginContext } from '#server/features/sessions/start-session.ts';
import { languageOf, translateMessage, translatorFor } from '#server/platform/text/language.ts';
import {
  RefusalError,
  type Refuse,
  createRefuser,
  isFromOwnPage,
  messageFor,
} from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { errorHeaders, fieldsHeader, IGNORED_FIELDS_HEADER } from '../responses/headers.ts';
import '../fastify-declarations.ts';

/** What the handler of a route gets, by the access that the route declares. */
export interface ContextOf {
  read: Caller & { readDb: ReadDatabase };
  write: Caller & { db: Transaction };
  external: Caller & { db: Database };
  keyed: Caller & { db: Database; idempotencyKey?: IdempotencyKey };
  upload: Caller & { db: Database };
  none: { db: Database; loginClient: LoginContext; request: FastifyRequest };
}

type HandlerInput<R extends Route> = ContextOf[R['metadata']['access']] & RequestInput<R>;

interface RequestInput<R extends Route> {
  body: ServerInferRequest<R> extends { body: infer Body } ? Body : undefined;
  query: ServerInferRequest<R> extends { query: infer Query } ? Query : undefined;
  refuse: Refuse<R['metadata']['refusals']>;
  log: FastifyBaseLogger;
  /** The language of the account or browser for requests of our own pages, otherwise English. */
  getTranslator: () => Translator;
}

/** What handlers return. They throw every refusal. */
interface Success<Body> {
  status: 200;
  body: Body;
  headers?: Record<string, string>;
}

type Handler<R extends Route> = (
  input: HandlerInput<R>,
) => Promise<Success<ServerInferResponses<R, 200>['body']>>;

export type Handlers<Area extends Contract[string]> = {
  [Name in keyof Area]: Handler<Area[Name]>;
};

export type ContractHandlers<C extends Contract> = { [Area in keyof C]: Handlers<C[Area]> };

export interface HandlerResponse {
  status: number;
  body: unknown;
  /** Error code of a refusal. */
  code?: string | undefined;
  /** Set if the body is an error. Our own pages get its message in their language. */
  refusal?: RefusalError;
  /** Not stored, so repeats with an Idempotency-Key do not get them. */
  headers?: Record<string, string>;
}

/** Calls the handler with the context of its route. */
export type HandlerRunner = (
  request: FastifyRequest,
  route: Route,
  handler: (context: ContextOf[Access]) => Promise<HandlerResponse>,
) => Promise<HandlerResponse>;

type AnyHandler = (input: object) => Promise<HandlerResponse>;

interface TsRestInput extends Pick<RequestInput<Route>, 'body' | 'query'> {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Validates requests and responses against the contract, so that undeclared fields never leak. */
export function registerContract<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: ContractHandlers<C>,
  runHandler: HandlerRunner,
): void;
export function registerContract(
  app: FastifyInstance,
  contract: Contract,
  handlers: Record<string, Record<string, AnyHandler>>,
  runHandler: HandlerRunner,
): void {
  const router = mapValues(handlers, (areaHandlers, areaName) =>
    mapValues(areaHandlers, (handler, routeName) => {
      const route = contract[areaName]![routeName]!;
      const { refusals, fileTypes: contentTypes, namesIgnoredFields } = route.metadata;
      const refuse = createRefuser(refusals);
      return async ({ request, reply, body, query }: TsRestInput) => {
        const input = { body, query, refuse, log: request.log };
        const { headers, code, refusal, ...response } = await runHandler(
          request,
          route,
          (context) =>
            handler({
              ...context,
              ...input,
              getTranslator: () =>
                translatorFor(
                  isFromOwnPage(request) ? (request.caller?.language ?? languageOf(request)) : 'en',
                ),
            }).catch((error: unknown) => {
              throw wrapUndeclaredRefusal(error, route);
            }),
        );
        if (refusal) response.body = { error: messageFor(request, refusal) };
        if (headers) void reply.headers(headers);
        if (code)
          void reply.headers(errorHeaders(code, refusal?.fields ?? declaredFields(route, code)));
        if (namesIgnoredFields && response.status === 200)
          void reply.headers(
            fieldsHeader(IGNORED_FIELDS_HEADER, listIgnoredFields(route, request.body)),
          );
        // If the route declares several content types, its handler sets the header.
        if (contentTypes?.length === 1) void reply.type(contentTypes[0]!);
        return response;
      };
    }),
  );
  // `RouterImplementation` requires a contract whose routes are known at compile time.
  const implementation = router as unknown as RouterImplementation<AppRouter>;
  initServer().registerRouter(contract, implementation, app, {
    logInitialization: false,
    responseValidation: true,
    // Runs before the handler, so an invalid request does not use up its idempotency key.
    requestValidationErrorHandler: (error, request, reply) => {
      const { issues } = error.headers ?? error.body ?? error.query ?? error.pathParams ?? {};
      reply.send(createValidationRefusal(issues, findRoute(request)!));
    },
  });
}

function listIgnoredFields(route: Route, body: unknown): string[] {
  const { shape } = ('body' in route && route.body) as z.ZodObject;
  return findIgnoredFields(shape, body as object);
}

/** A refusal that the route does not declare is a bug, so the client gets a 500 instead. */
function wrapUndeclaredRefusal(error: unknown, { path, metadata }: Route): unknown {
  if (!(error instanceof RefusalError)) return error;
  if (error.code in metadata.refusals || error.code in metadata.sharedRefusals) return error;
  return new Error(`${path} throws an undeclared refusal: ${error.code}`, { cause: error });
}

export function findRoute(request: FastifyRequest): Route | undefined {
  return request.routeOptions.config.tsRestRoute;
}

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

const refuse = createRefuser(WRITE_REFUSALS);

const NOT_AN_OBJECT = 'The request body must be a JSON object.';

/**
 * Reports the first issue, with the code of the refusal that the route declares for its field, if any.
 */
export function createValidationRefusal(
  issues: readonly ValidationIssue[] = [],
  route: Route,
): RefusalError {
  const { refusals, sharedRefusals } = route.metadata;
  let [issue] = issues;
  // If the body is not an object, report its first missing field.
  if (!issue?.path?.length && 'body' in route && route.body instanceof z.ZodType)
    issue = route.body.safeParse({}).error?.issues[0];
  const { message = NOT_AN_OBJECT, path = [] } = issue ?? {};
  const field = joinPath(path);
  const fields = [...new Set([field, ...issues.map((other) => joinPath(other.path ?? []))])].filter(
    (name) => name !== '',
  );
  const declared = Object.entries<Refusal>({ ...refusals, ...sharedRefusals }).find(
    ([, refusal]) => refusal.isSchemaError && refusal.field === field,
  );
  if (declared) return new RefusalError(declared[0], { ...declared[1], message }, { fields });
  // Messages for top-level fields are whole sentences. Messages for nested fields need the path.
  const prefix = path.length > 1 ? `${field} ` : '';
  const problem = (t: Translator) => prefix + translateMessage(t, message);
  return refuse('validationFailed', { problem, fields });
}

function joinPath(path: NonNullable<ValidationIssue['path']>): string {
  return path.map((part) => (typeof part === 'object' ? part.key : part)).join('.');
}

/** For stored responses, which have only the code. */
function declaredFields({ metadata }: Route, code: string): string[] {
  const { field } = { ...metadata.refusals, ...metadata.sharedRefusals }[code] ?? {};
  return field === undefined ? [] : [field];
}

function mapValues<Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
