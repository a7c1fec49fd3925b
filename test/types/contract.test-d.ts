import { type AppRoute, initContract, type ServerInferResponses } from '@ts-rest/core';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contract } from '#contract/index.ts';
import {
  type ContractHandlers,
  type Handlers,
  registerContract,
  type HandlerRunner,
} from '#server/platform/http/contract/register-contract.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

type Account = Handlers<typeof contract.account>;
type Stats = Handlers<typeof contract.stats>;

const getDisplayName: Account['getDisplayName'] = () => Promise.resolve({ display_name: 'jane' });
const updateDisplayName: Account['updateDisplayName'] = () =>
  Promise.resolve({ success: true, message: 'Done.' });

export const complete: Account = { getDisplayName, updateDisplayName };

// @ts-expect-error: an endpoint without a handler
export const missingHandler: Account = { getDisplayName };

export const unknownHandler: Account = {
  getDisplayName,
  updateDisplayName,
  // @ts-expect-error: a handler without an endpoint
  deleteDisplayName: getDisplayName,
};

/** Compiles if the handler may return this response. */
declare function checkResponse<Handler extends (input: never) => Promise<unknown>>(
  response: Awaited<ReturnType<Handler>>,
): void;

type GetName = Extract<Account['getDisplayName'], Function>;
type UpdateName = Extract<Account['updateDisplayName'], Function>;
type Projects = Extract<Stats['getProjects'], Function>;

checkResponse<GetName>({ display_name: 'jane' });
// @ts-expect-error: a refusal that is returned instead of thrown
checkResponse<UpdateName>({ error: 'taken' });
// @ts-expect-error: a body that the endpoint does not declare
checkResponse<Projects>({ error: 'no' });
// @ts-expect-error: nothing, although the endpoint declares more than success
checkResponse<UpdateName>(undefined);
declare const app: FastifyInstance;
declare const run: HandlerRunner;
declare const handlers: ContractHandlers<typeof contract>;

registerContract(app, contract, handlers, run);

const { stats: _stats, ...withoutStats } = handlers;
// @ts-expect-error: an area without handlers
registerContract(app, contract, withoutStats, run);

// @ts-expect-error: an area with the handlers of another area
registerContract(app, contract, { ...handlers, stats: handlers.account }, run);

/** Names of endpoints whose response type accepts undeclared status codes. */
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

const contractBuilder = initContract();
const looseContract = contractBuilder.router({
  area: contractBuilder.router({
    read: { method: 'GET', path: '/', responses: { 200: z.object({}) } },
  }),
});
// @ts-expect-error: the check above finds an endpoint without strict status codes
expectNone<LooseEndpoints<typeof looseContract>>();
