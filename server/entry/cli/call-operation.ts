import { APIError, type ClientOptions, Nameplate, NameplateError } from '#client/index.ts';
import { listPromise } from '#client/list-promise.ts';
import { withQuery } from '#client/with-query.ts';
import type { Route } from '#contract/define-endpoints.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findOwnerId } from '#db/queries/keepers.ts';
import {
  requireAccount,
  requireDecidedAccount,
} from '#server/features/accounts/require-account.ts';
import { COMMAND_LINE_ID } from '#server/platform/caller.ts';
import { CommandFailedError } from './command-failed.ts';
import type { Service } from './open-service.ts';
import { inputOf } from './operation-fields.ts';
import { escapeControlCharacters } from './output.ts';
import { withResource, withService } from './with-service.ts';

interface Call {
  route: Route;
  /** A string or a buffer is a file. */
  input: string | Buffer | Record<string, unknown>;
  isForOperators: boolean;
  /** Name or id. Only without `baseUrl`. */
  account: string | undefined;
  /** The server to call. By default, the operation runs in this process. */
  baseUrl: string | undefined;
  /** Whether to read all batches of a list. */
  all: boolean;
}

/** Passes the response, or a `Response` if it is a file. */
export function callOperation(
  call: Call,
  use: (result: unknown, resources: AsyncDisposableStack) => Promise<void> | void,
): Promise<void> {
  const { failure } = call.route.metadata;
  const run = async (options: ClientOptions, input = call.input) => {
    await using resources = new AsyncDisposableStack();
    const client = new Nameplate({ logger: createLogger(), ...options });
    await use(await send(client, { ...call, input }).catch(explainFailure), resources);
  };
  if (!call.baseUrl) return withService(failure, (service) => runLocally(service, call, run));
  const { baseUrl, account } = call;
  return withResource(
    failure,
    async () => new AsyncDisposableStack(),
    async () => {
      if (account !== undefined)
        throw new CommandFailedError(
          'An API key is for one account. --account works only without --base-url and NAMEPLATE_BASE_URL, with the database of this machine.',
        );
      if (!process.env['NAMEPLATE_API_KEY'])
        throw new CommandFailedError(
          'Set NAMEPLATE_API_KEY to an API key. nameplate keys.createKey creates one on the server.',
        );
      await run({ baseUrl });
    },
  );
}

async function runLocally(
  { app, fetchAs }: Service,
  { input, isForOperators, account, route }: Call,
  run: (options: ClientOptions, input: Call['input']) => Promise<void>,
): Promise<void> {
  if (app.server.pathsOff.has(route.path))
    throw new CommandFailedError('FEATURES_OFF leaves out the feature of this operation.');
  const require = isForOperators ? requireAccount : requireDecidedAccount;
  const accountId =
    account === undefined
      ? undefined
      : (await inTransaction(app.db, (trx) => require(trx, account))).account_id;
  const callerId = (isForOperators ? undefined : accountId) ?? COMMAND_LINE_ID;
  // A command may do what the owner may.
  const fetch = fetchAs({
    accountId: callerId,
    actorId: (await findOwnerId(app.db, callerId)) ?? callerId,
    scope: 'operator',
    credential: { kind: 'command', keyId: undefined },
  });
  const options = {
    apiKey: null,
    baseUrl: 'http://localhost',
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
  };
  const target = isForOperators && accountId !== undefined && { account_id: accountId };
  await run({ ...options, fetch }, target ? { ...target, ...(input as object) } : input);
}

async function send(client: Nameplate, { route, input, all }: Call): Promise<unknown> {
  const { method, path, metadata } = route;
  if (method !== 'GET')
    return client.request(method, path, inputOf(route) === undefined ? undefined : input);
  const query = input as Record<string, string>;
  const read = (after = query['after']) =>
    client.request<Record<string, unknown[]>>(method, withQuery(path, { ...query, after }));
  if (metadata.fileTypes) return read().asResponse();
  const { listField } = metadata;
  return all && listField ? { [listField]: await listPromise(listField, read).toArray() } : read();
}

function createLogger(): ClientOptions['logger'] {
  if (process.env['NAMEPLATE_LOG']) return undefined;
  return {
    warn: (_event: string, { fields }: { fields?: string[] }) => {
      for (const field of fields ?? [])
        process.stderr.write(`Warning: ${escapeControlCharacters(field)} had no effect.\n`);
    },
  };
}

function explainFailure(error: unknown): never {
  if (!(error instanceof NameplateError)) throw error;
  const { code, field } = error instanceof APIError ? error : {};
  const hint =
    code === 'insufficientScope'
      ? ' Without --base-url and NAMEPLATE_BASE_URL, the command works on the database of this machine.'
      : '';
  throw new CommandFailedError(error.message + hint, { cause: error, code, field });
}
