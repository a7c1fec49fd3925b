import type { AppRouter, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, type Contract, type Route, inputOf } from '#contract/define-endpoints.ts';
import type { Database, ReadDatabase, Transaction } from '#db/connections/handles.ts';
import type { AuditEntry } from '#db/queries/audit-log.ts';
import type { IdempotencyKey } from '#db/queries/idempotency-keys.ts';
import type { LoginContext, Caller } from '#server/platform/caller.ts';
import {
  RefusalError,
  type Refuse,
  createRefuser,
  isFromOwnPage,
  messageFor,
} from '#server/platform/refusal.ts';
import { languageOf, translatorFor } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { errorHeaders, fieldsHeader, IGNORED_FIELDS_HEADER } from '../responses/headers.ts';
import { createUnknownFieldRefusal, createValidationRefusal } from './field-refusals.ts';
import { createIgnoredFieldsFinder } from './ignored-fields.ts';
import '../fastify-declarations.ts';

/** What the handler of a route gets, by the access that the route declares. */
export interface ContextOf {
  read: Caller & { readDb: ReadDatabase };
  write: Caller & { db: Transaction };
  noTransaction: Caller & { db: Database };
  ownIdempotency: Caller & { db: Database; idempotencyKey?: IdempotencyKey | undefined };
  /** `recheck`: at the end of its transaction, because decoding may take seconds. */
  upload: Caller & { db: Database; recheck: Recheck };
  none: { db: Database; loginClient: LoginContext; request: FastifyRequest };
}

/** Refuses if the caller may no longer act for the account. */
type Recheck = (trx: Transaction) => Promise<void>;

type HandlerInput<R extends Route> = ContextOf[R['metadata']['access']] &
  RequestInput<R> &
  (R['metadata'] extends { access: 'write'; scope: 'operator' } ? { audit: Audit } : unknown);

/**
 * Adds to the entry that the audit trail gets with the change. It must not contain secrets. Without
 * a change there is no entry.
 */
export type Audit = (
  subject: Partial<Omit<AuditEntry, 'who' | 'via' | 'action'>> | 'unchanged',
) => void;

interface RequestInput<R extends Route> {
  body: ServerInferRequest<R> extends { body: infer Body } ? Body : undefined;
  query: ServerInferRequest<R> extends { query: infer Query } ? Query : undefined;
  refuse: Refuse<R['metadata']['refusals']>;
  log: FastifyBaseLogger;
  /** Such as `members.suspendMember`, for the audit trail. */
  operation: string;
  /** The language of the account or browser for requests of our own pages, otherwise English. */
  getTranslator: () => Translator;
}

/** A response that has headers of its own. */
export class WithHeaders<Body> {
  readonly headers: Record<string, string>;
  readonly body: Body;

  constructor(headers: Record<string, string>, body: Body) {
    this.headers = headers;
    this.body = body;
  }
}

/** Returns the body of the response; nothing means `{ success: true }`. Throws refusals. */
type Handler<R extends Route> = (
  input: HandlerInput<R>,
) => Promise<Result<ServerInferResponses<R, 200>['body']>>;

type Result<Body> = Body | WithHeaders<Body> | ({ success: true } extends Body ? void : never);

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

/** Calls the handler with the context of its route. `body` is parsed, without ignored fields. */
export type HandlerRunner = (
  request: FastifyRequest,
  route: Route,
  handler: (context: ContextOf[Access]) => Promise<HandlerResponse>,
  body: unknown,
  operation: string,
) => Promise<HandlerResponse>;

type AnyHandler = (input: object) => Promise<unknown>;

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
  const router = mapValues(handlers, (areaHandlers, area) =>
    mapValues(areaHandlers, (handler, name) =>
      createRouteHandler(contract[area]![name]!, `${area}.${name}`, handler, runHandler),
    ),
  );
  // `RouterImplementation` requires a contract whose routes are known at compile time.
  const implementation = router as unknown as RouterImplementation<AppRouter>;
  // Features that are left out have no handlers.
  for (const [area, routes] of Object.entries(contract))
    for (const [name, { path }] of Object.entries(routes))
      if (!handlers[area]?.[name]) app.pathsOff.add(path);
  const routes = mapValues(handlers, (areaHandlers, area) =>
    mapValues(areaHandlers, (_handler, name) => contract[area]![name]!),
  );
  initServer().registerRouter(routes, implementation, app, {
    logInitialization: false,
    responseValidation: true,
    // Runs before the handler, so an invalid request does not use up its idempotency key.
    requestValidationErrorHandler: (error, request, reply) => {
      const { issues } = error.headers ?? error.body ?? error.query ?? error.pathParams ?? {};
      reply.send(createValidationRefusal(issues, findRoute(request)!, request));
    },
  });
}

function createRouteHandler(
  route: Route,
  operation: string,
  handler: AnyHandler,
  runHandler: HandlerRunner,
) {
  const { refusals } = route.metadata;
  const refuse = createRefuser(refusals);
  const findIgnoredFields = createIgnoredFieldsFinder(route);
  const { body: bodySchema, takesNoBody } = inputOf(route);
  return async ({ request, reply, body, query }: TsRestInput) => {
    if (takesNoBody && !hasOnlyFields(request.body))
      throw createValidationRefusal([], route, request);
    const ignoredFields = findIgnoredFields(request);
    if (ignoredFields.length > 0 && 'unknownField' in refusals)
      throw createUnknownFieldRefusal(ignoredFields, route);
    const getTranslator = () => findTranslator(request);
    const input = { body, query, refuse, log: request.log, operation, getTranslator };
    const callHandler = async (context: ContextOf[Access]) => {
      const result = await handler({ ...context, ...input }).catch((error: unknown) => {
        throw toDeclaredRefusal(error, route);
      });
      return toResponse(result);
    };
    const acceptedBody = bodySchema && body;
    const response = await runHandler(request, route, callHandler, acceptedBody, operation);
    setHeaders(reply, route, response, ignoredFields);
    const { status, refusal } = response;
    return { status, body: refusal ? { error: messageFor(request, refusal) } : response.body };
  };
}

function findTranslator(request: FastifyRequest): Translator {
  const language = request.caller?.language ?? languageOf(request);
  return translatorFor(isFromOwnPage(request) ? language : 'en');
}

function toResponse(result: unknown): HandlerResponse {
  return result instanceof WithHeaders
    ? { status: 200, ...result }
    : { status: 200, body: result ?? { success: true } };
}

function setHeaders(
  reply: FastifyReply,
  route: Route,
  { status, headers, code, refusal }: HandlerResponse,
  ignoredFields: string[],
): void {
  const { fileTypes: contentTypes } = route.metadata;
  if (headers) void reply.headers(headers);
  if (code)
    void reply.headers(errorHeaders(code, refusal?.fields ?? findDeclaredFields(route, code)));
  if (ignoredFields.length > 0 && status === 200)
    void reply.headers(fieldsHeader(IGNORED_FIELDS_HEADER, ignoredFields));
  // If the route declares several content types, its handler sets the header.
  if (contentTypes?.length === 1) void reply.type(contentTypes[0]!);
}

/** Other values cannot be named as ignored. PHP encodes an empty list of fields as `[]`. */
function hasOnlyFields(body: unknown): boolean {
  return Array.isArray(body) ? body.length === 0 : typeof body === 'object' || body === undefined;
}

/**
 * The response has the status that the route declares. A refusal that it does not declare is a bug, so
 * the client gets a 500 instead.
 */
function toDeclaredRefusal(error: unknown, { path, metadata }: Route): unknown {
  if (!(error instanceof RefusalError)) return error;
  const declared = { ...metadata.sharedRefusals, ...metadata.refusals }[error.code];
  if (declared) return Object.assign(error, { status: declared.status });
  return new Error(`${path} throws an undeclared refusal: ${error.code}`, { cause: error });
}

export function findRoute(request: FastifyRequest): Route | undefined {
  return request.routeOptions.config.tsRestRoute;
}

/** For stored responses, which have only the code. */
function findDeclaredFields({ metadata }: Route, code: string): string[] {
  const { field } = { ...metadata.refusals, ...metadata.sharedRefusals }[code] ?? {};
  return field === undefined ? [] : [field];
}

function mapValues<Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
