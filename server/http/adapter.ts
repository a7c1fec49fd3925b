import {
  type AppRoute,
  type AppRouter,
  isAppRoute,
  type ServerInferRequest,
  type ServerInferResponses,
} from '@ts-rest/core';
import {
  initServer,
  type RequestValidationError,
  type RouterImplementation,
} from '@ts-rest/fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { RouteMetadata } from '../../contract/errors.ts';
import type { Database } from '../../db/schema.ts';
import { RequestError } from '../service/request-error.ts';

/** For whom a handler works, and where it runs its queries. */
export interface CallerContext {
  accountId: string;
  /** The database, or the transaction in which the answer will be stored. */
  db: Kysely<Database>;
}

/** What a handler gets: what was sent, parsed, and its context. */
export type HandlerInput<Route extends AppRoute, Context = CallerContext> = Context & {
  body: ServerInferRequest<Route> extends { body: infer Body } ? Body : undefined;
  query: ServerInferRequest<Route> extends { query: infer Query } ? Query : undefined;
  log: FastifyBaseLogger;
};

/** Answers one endpoint: with a declared status and body, or by throwing a `RequestError`. */
export type Handler<Route extends AppRoute, Context = CallerContext> = (
  input: HandlerInput<Route, Context>,
) => Promise<ServerInferResponses<Route>>;

/** A handler for every endpoint of an area; a missing one does not compile. */
export type Handlers<Area extends AppRouter, Context = CallerContext> = {
  [Name in keyof Area]: Area[Name] extends AppRoute ? Handler<Area[Name], Context> : never;
};

/** A handler for every endpoint of every area of a contract. */
export type AllHandlers<Contract extends AppRouter, Context = CallerContext> = {
  [Area in keyof Contract]: Contract[Area] extends AppRouter
    ? Handlers<Contract[Area], Context>
    : never;
};

/** An answer as it leaves a handler. */
export interface Answer {
  status: number;
  body: unknown;
}

type AnyHandler = (input: unknown) => Promise<Answer>;

/** Runs a handler with its context; stands between the parsed request and the handler. */
export type Runner<Context = CallerContext> = (
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (context: Context) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Registers every endpoint of a contract. Requests are parsed by it on the way in and responses on
 * the way out, so that nothing undeclared leaves.
 */
export function registerContract<Contract extends AppRouter, Context = CallerContext>(
  app: FastifyInstance,
  contract: Contract,
  handlers: AllHandlers<Contract, Context>,
  run: Runner<Context>,
): void {
  const server = initServer();
  const router = Object.fromEntries(
    Object.entries(handlers as unknown as Record<string, Record<string, AnyHandler>>).map(
      ([area, routes]) => [
        area,
        Object.fromEntries(
          Object.entries(routes).map(([name, handler]) => [
            name,
            ({
              request,
              reply,
              body,
              query,
            }: {
              request: FastifyRequest;
              reply: FastifyReply;
              body: unknown;
              query: unknown;
            }) =>
              run(request, reply, (context) =>
                handler({ ...context, body, query, log: request.log }),
              ),
          ]),
        ),
      ],
    ),
  ) as unknown as RouterImplementation<Contract>;
  server.registerRouter(contract, router, app, {
    logInitialization: false,
    responseValidation: true,
    requestValidationErrorHandler: (error, request, reply) => {
      const refusal = toRequestError(error);
      if (error.headers) {
        reply.send(refusal);
        return;
      }
      // A refusal is an answer like any other: a repeat of the request gets it again.
      void run(request, reply, () => Promise.reject(refusal)).then(
        ({ status, body }) => reply.status(status).send(body),
        (thrown: unknown) => reply.send(thrown),
      );
    },
  });
}

/** The endpoint that a request was routed to; undefined outside the contract. */
export function findRoute(
  request: FastifyRequest,
): (AppRoute & { metadata: RouteMetadata }) | undefined {
  const config = request.routeOptions.config as { tsRestRoute?: AppRoute };
  return config.tsRestRoute as (AppRoute & { metadata: RouteMetadata }) | undefined;
}

/** Method and path of every endpoint of a contract, whatever its area. */
export function listRoutes(contract: AppRouter): { method: string; path: string }[] {
  return Object.values(contract).flatMap((entry) =>
    isAppRoute(entry) ? [entry] : listRoutes(entry),
  );
}

function toRequestError(error: RequestValidationError): RequestError {
  const [issue] = (error.headers ?? error.body ?? error.query ?? error.pathParams)?.issues ?? [];
  const message = issue?.message ?? 'The request is not valid.';
  // Messages of top-level fields are whole sentences; what lies deeper begins with its path.
  const path = (issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  return new RequestError(400, path.length > 1 ? `${path.join('.')} ${message}` : message);
}
