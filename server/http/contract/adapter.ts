import type { AppRouter, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { initServer, type RouterImplementation } from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Contract, Route } from '../../../contract/area.ts';
import { EVERY_WRITE } from '../../../contract/request-refusals.ts';
import type { IdempotencyKey } from '../../../db/queries/idempotency-keys.ts';
import type { Reads, Writes } from '../../../db/connections/databases.ts';
import type { Caller } from '../../service/caller.ts';
import { RefusalError, type Refuse, refuserOf } from '../../service/refusal.ts';
import { ERROR_CODE } from '../answers/headers.ts';
import '../fastify-declarations.ts';

/** For whom the handler of a GET or a query works, and where it reads. */
interface ReadContext extends Caller {
  reads: Reads;
}

/** For whom the handler of a write works, and where it runs its queries. */
interface WriteContext extends Caller {
  /** The database, or the transaction in which the answer will be stored. */
  db: Writes;
  /** The idempotency key that the handler stores its answer with; set only if its route `storesAnswer`. */
  key?: IdempotencyKey;
}

type CallerContext = ReadContext | WriteContext;

/** The context of a route: one that takes no idempotency key, such as a GET, cannot write. */
type ContextOf<Of extends Route, Context> = Of extends { headers: { 'idempotency-key': unknown } }
  ? Extract<Context, { db: Writes }>
  : [Exclude<Context, { db: Writes }>] extends [never]
    ? Context
    : Exclude<Context, { db: Writes }>;

/** Input of a handler: what was sent, parsed, and its context. */
type HandlerInput<Of extends Route, Context> = Context & {
  body: ServerInferRequest<Of> extends { body: infer Body } ? Body : undefined;
  query: ServerInferRequest<Of> extends { query: infer Query } ? Query : undefined;
  /** Makes the error of one of the refusals that the endpoint declares. */
  refuse: Refuse<Of['metadata']['refusals']>;
  log: FastifyBaseLogger;
};

/** Answers one endpoint: with a declared status and body, or by throwing what it refuses with. */
type Handler<Of extends Route, Context> = (
  input: HandlerInput<Of, ContextOf<Of, Context>>,
) => Promise<ServerInferResponses<Of> & Answer>;

/** A handler for every endpoint of an area; a missing one does not compile. */
export type Handlers<Area extends Contract[string], Context = CallerContext> = {
  [Name in keyof Area]: Handler<Area[Name], Context>;
};

/** A handler for every endpoint of every area of a contract. */
export type AllHandlers<All extends Contract, Context = CallerContext> = {
  [Area in keyof All]: Handlers<All[Area], Context>;
};

/** An answer as it leaves a handler. */
export interface Answer {
  status: number;
  body: unknown;
  /** The name of the refusal that it is, if it is one. */
  code?: string | undefined;
  /** Beside those that every answer has; a stored answer is repeated without them. */
  headers?: Record<string, string>;
}

/** Runs a handler with its context; stands between the parsed request and the handler. */
export type Runner<Context = CallerContext> = (
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (context: Context) => Promise<Answer>,
) => Promise<Answer>;

type AnyHandler = (input: HandlerInput<Route, object>) => Promise<Answer>;

/** Input that ts-rest hands to the implementation of an endpoint. */
interface Parsed extends Pick<HandlerInput<Route, object>, 'body' | 'query'> {
  appRoute: Route;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Registers every endpoint of a contract. Requests are parsed by it on the way in and responses on
 * the way out, so that nothing undeclared leaves.
 */
export function registerContract<All extends Contract, Context>(
  app: FastifyInstance,
  contract: All,
  handlers: AllHandlers<All, Context>,
  run: Runner<Context>,
): void;
export function registerContract(
  app: FastifyInstance,
  contract: Contract,
  handlers: Record<string, Record<string, AnyHandler>>,
  run: Runner<object>,
): void {
  const router = mapValues(handlers, (area) =>
    mapValues(area, (handler) => async ({ appRoute, request, reply, body, query }: Parsed) => {
      const refuse = refuserOf(appRoute.metadata.refusals);
      const input = { body, query, refuse, log: request.log };
      const { headers, code, ...answer } = await run(request, reply, (context) =>
        handler({ ...context, ...input }).catch((error: unknown) => {
          throw declared(error, appRoute);
        }),
      );
      if (headers) void reply.headers(headers);
      if (code) void reply.header(ERROR_CODE, code);
      const { file } = appRoute.metadata;
      // Of several the handler says which.
      if (file?.length === 1) void reply.type(file[0]!);
      return answer;
    }),
  );
  // `RouterImplementation` can only be met for a contract whose routes are known one by one.
  const implementation = router as unknown as RouterImplementation<AppRouter>;
  initServer().registerRouter(contract, implementation, app, {
    logInitialization: false,
    responseValidation: true,
    // Before any handler: it did nothing, so an idempotency key that it brought is still unused.
    requestValidationErrorHandler: (error, request, reply) => {
      const { issues } = error.headers ?? error.body ?? error.query ?? error.pathParams ?? {};
      reply.send(refuseInvalid(issues, findRoute(request)));
    },
  });
}

/** Error of a handler, if its endpoint declares it; a refusal that the endpoint does not declare is a defect. */
function declared(error: unknown, { path, metadata }: Route): unknown {
  if (!(error instanceof RefusalError)) return error;
  if (error.code in metadata.refusals || error.code in metadata.shared) return error;
  return new Error(`${path} refuses without a declaration: ${error.code}`, { cause: error });
}

/** The endpoint that a request was routed to; undefined outside the contract. */
export function findRoute(request: FastifyRequest): Route | undefined {
  return request.routeOptions.config.tsRestRoute;
}

interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

const refuse = refuserOf(EVERY_WRITE);

/** Refuses what was sent for the first rule that it breaks, by the name that its route has for this rule. */
export function refuseInvalid(issues: readonly Issue[] = [], route?: Route): RefusalError {
  const [issue] = issues;
  const message = issue?.message ?? 'The request is not valid.';
  const refusals = { ...route?.metadata.refusals, ...route?.metadata.shared };
  const named = Object.entries(refusals).find(([, { sentence }]) => sentence === message);
  if (named) return new RefusalError(...named, {});
  // Messages of top-level fields are whole sentences; what lies deeper begins with its path.
  const path = (issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  return refuse('validationFailed', {
    problem: path.length > 1 ? `${path.join('.')} ${message}` : message,
  });
}

function mapValues<Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
