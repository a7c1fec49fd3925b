import { type AppRoute, initContract, type ServerInferResponses } from '@ts-rest/core';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contract } from '#contract/index.ts';
import {
  type ContractHandlers,
  type Handlers,
  registerContract,
  type HandlerRunner,
} from '#server/http/contract/register-contract.ts';

// Each marked line must not compile. If it does, its @ts-expect-error is an error.

type Account = Handlers<typeof contract.account>;
type Stats = Handlers<typeof contract.stats>;

const getDisplayName: Account['getDisplayName'] = () =>
  Promise.resolve({ status: 200, body: { display_name: 'jane' } });
const updateDisplayName: Account['updateDisplayName'] = () =>
  Promise.resolve({ status: 409, body: { error: 'taken' } });

export const complete: Account = { getDisplayName, updateDisplayName };

// @ts-expect-error: an endpoint without a handler
export const missingHandler: Account = { getDisplayName };

export const unknownHandler: Account = {
  getDisplayName,
  updateDisplayName,
  // @ts-expect-error: a handler without an endpoint
  deleteDisplayName: getDisplayName,
};

/** Compiles if a handler may return this response. */
declare function answer<Of extends (input: never) => Promise<unknown>>(
  answer: Awaited<ReturnType<Of>>,
): void;

type GetName = Extract<Account['getDisplayName'], Function>;
type UpdateName = Extract<Account['updateDisplayName'], Function>;
type Ingest = Extract<Stats['ingestMetrics'], Function>;
type Projects = Extract<Stats['getProjects'], Function>;

answer<GetName>({ status: 200, body: { display_name: 'jane' } });
answer<UpdateName>({ status: 409, body: { error: 'taken' } });

// @ts-expect-error: a status that no endpoint declares
answer<GetName>({ status: 418, body: { error: 'teapot' } });
// @ts-expect-error: a status that only other endpoints declare
answer<GetName>({ status: 409, body: { error: 'taken' } });
// @ts-expect-error: a success that is not the declared one
answer<Ingest>({ status: 201, body: { message: 'created' } });
// @ts-expect-error: a field of the wrong type
answer<GetName>({ status: 200, body: { display_name: 1 } });
// @ts-expect-error: a field that is missing
answer<UpdateName>({ status: 200, body: { success: true } });
// @ts-expect-error: a literal field with another value
answer<UpdateName>({ status: 200, body: { success: false, message: 'no' } });
// @ts-expect-error: an error as the body of a success
answer<Projects>({ status: 200, body: { error: 'no' } });
// @ts-expect-error: an error without its message
answer<Projects>({ status: 500, body: {} });
// @ts-expect-error: no body
answer<Projects>({ status: 200 });

// @ts-expect-error: a response that is not in a promise
export const notPromised: Account['getDisplayName'] = () => ({
  status: 200,
  body: { display_name: 'jane' },
});

export const unknownRequestField: Stats['ingestMetrics'] = ({ body }) => {
  // @ts-expect-error: a field that the request does not have
  void body.project_id;
  return Promise.resolve({ status: 200, body: { message: body.projectId } });
};

export const bodyOfRead: Account['getDisplayName'] = ({ body }) => {
  // @ts-expect-error: a field of a request that has no body
  void body.display_name;
  return Promise.resolve({ status: 200, body: { display_name: '' } });
};

declare const app: FastifyInstance;
declare const run: HandlerRunner;
declare const handlers: ContractHandlers<typeof contract>;

registerContract(app, contract, handlers, run);

const { stats: _stats, ...withoutStats } = handlers;
// @ts-expect-error: an area without handlers
registerContract(app, contract, withoutStats, run);

// @ts-expect-error: an area with the handlers of another
registerContract(app, contract, { ...handlers, stats: handlers.account }, run);

/** The names of the endpoints that accept statuses which they do not declare. */
type LooseEndpoints<Contract> = {
  [Area in keyof Contract]: {
    [Name in keyof Contract[Area]]: Contract[Area][Name] extends AppRoute
      ? 418 extends ServerInferResponses<Contract[Area][Name]>['status']
        ? Name
        : never
      : Name;
  }[keyof Contract[Area]];
}[keyof Contract];

/** Compiles only for `never`. */
function expectNone<_Endpoints extends never>(): void {}

expectNone<LooseEndpoints<typeof contract>>();

const c = initContract();
const loose = c.router({
  area: c.router({
    read: { method: 'GET', path: '/', responses: { 200: z.object({}) } },
  }),
});
// @ts-expect-error: the check above finds an endpoint without strict status codes
expectNone<LooseEndpoints<typeof loose>>();
