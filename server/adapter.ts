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
import type { RouteMetadata } from '../contract/errors.ts';
import type { Database } from '../db/schema.ts';
import { RequestError } from './request-error.ts';

/** What a handler gets: the parsed body, the caller's account and where to run its queries. */
export interface HandlerInput<Route extends AppRoute> {
  accountId: string;
  body: ServerInferRequest<Route> extends { body: infer Body } ? Body : undefined;
  /** The database, or the transaction in which the answer will be stored. */
  db: Kysely<Database>;
  log: FastifyBaseLogger;
}

/** Answers one endpoint: with a declared status and body, or by throwing a `RequestError`. */
export type Handler<Route extends AppRoute> = (
  input: HandlerInput<Route>,
) => Promise<ServerInferResponses<Route>>;

/** A handler for every endpoint of an area; a missing one does not compile. */
export type Handlers<Area extends AppRouter> = {
  [Name in keyof Area]: Area[Name] extends AppRoute ? Handler<Area[Name]> : never;
};

/** A handler for every endpoint of every area of a contract. */
export type AllHandlers<Contract extends AppRouter> = {
  [Area in keyof Contract]: Contract[Area] extends AppRouter ? Handlers<Contract[Area]> : never;
};

/** An answer as it leaves a handler. */
export interface Answer {
  status: number;
  body: unknown;
}

type AnyHandler = (input: HandlerInput<AppRoute>) => Promise<Answer>;

/** Runs a handler; stands between the parsed request and the handler. */
export type Runner = (
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (db: Kysely<Database>) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Registers every endpoint of a contract. Requests are parsed by it on the way in and responses on
 * the way out, so that nothing undeclared leaves.
 */
export function registerContract<Contract extends AppRouter>(
  app: FastifyInstance,
  contract: Contract,
  handlers: AllHandlers<Contract>,
  run: Runner,
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
            }: {
              request: FastifyRequest;
              reply: FastifyReply;
              body: never;
            }) =>
              run(request, reply, (db) =>
                handler({ accountId: request.caller.accountId, body, db, log: request.log }),
              ),
          ]),
        ),
      ],
    ),
  ) as unknown as RouterImplementation<Contract>;
  server.registerRouter(contract, router, app, {
    logInitialization: false,
    responseValidation: true,
    requestValidationErrorHandler: (error, _request, reply) => reply.send(toRequestError(error)),
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
  // Messages name the top-level field themselves; what lies deeper needs its path.
  const path = (issue?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  return new RequestError(400, path.length > 1 ? `${path.join('.')}: ${message}` : message);
}
