import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { mayCallerCall } from '#contract/scope.ts';
import { isOperator } from '#db/queries/operators.ts';
import type { Core } from '#server/core.ts';
import type { Services } from '#server/features/services.ts';
import {
  guardAuthenticated,
  readBearer,
} from '#server/platform/http/access/authentication-guard.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import { delegatedCaller } from '#server/platform/http/access/delegated-caller.ts';
import { createSameOriginCheck } from '#server/platform/http/access/same-origin.ts';
import { acceptJsonOnly } from '#server/platform/http/contract/json-body.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import {
  ERROR_CODE_HEADER,
  fieldsHeader,
  IGNORED_FIELDS_HEADER,
} from '#server/platform/http/responses/headers.ts';
import { NON_ENDPOINT_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { type RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { callOperation } from './call-operation.ts';
import type { Operation } from './operations.ts';
import type { MessageContext } from './protocol.ts';
import { explainUnknownTool, listAreas, type ToolCaller, ToolSelection } from './tool-selection.ts';

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

/**
 * These messages send an inner request, which counts against the rate limit instead of the message.
 */
const METHODS_WITH_INNER_REQUEST: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read']);

export function createMcpPlugin(app: Services): FastifyPluginAsync {
  const { rateLimits, instanceStore } = app;
  return createJsonEntryPoint(async (server) => {
    acceptJsonOnly(server);
    acceptApiKeysOnly(server, app);
    acceptConnectedApps(server, app);
    guardAuthenticated(server, {
      ...app,
      rateLimits: { ...rateLimits, accountLimitHook: undefined },
    });
    server.addHook('preHandler', async (request, reply) => {
      if (
        !METHODS_WITH_INNER_REQUEST.has(
          (request.body as { method?: unknown } | null | undefined)?.method,
        )
      )
        await rateLimits.accountLimitHook?.(request, reply);
    });
    // Other refusals are about the HTTP request.
    server.addHook('preSerialization', async ({ body }, reply, payload) => {
      if (![400, 413, 415].includes(reply.statusCode)) return payload;
      const isUnparsed = reply.getHeader(ERROR_CODE_HEADER) === 'jsonMalformed';
      const { id = null } = (body ?? {}) as { id?: unknown };
      const { error: message } = payload as { error: string };
      return { jsonrpc: '2.0', id, error: { code: isUnparsed ? -32_700 : -32_600, message } };
    });
    const loadMcp = loadOnce(() => loadModules(app.server.pathsOff));
    server.post('/mcp', async (request, reply) => {
      const message = parseMessage(request);
      const [{ handleMessage, operations }] = await Promise.all([
        loadMcp(),
        instanceStore.refresh(),
      ]);
      const { tools: query, ...ignored } = request.query as Record<string, unknown>;
      void reply.headers(fieldsHeader(IGNORED_FIELDS_HEADER, Object.keys(ignored)));
      const selection = new ToolSelection(operations, query);
      let isCounted = !METHODS_WITH_INNER_REQUEST.has(message['method']);
      /** Counts a message that sent no inner request, such as a call to an unknown tool. */
      const countUncounted = async () => {
        if (!isCounted) await rateLimits.accountLimitHook?.(request, reply);
      };
      if (selection.unknownNames.length > 0) {
        await countUncounted();
        const areas = listAreas(operations);
        const names = selection.unknownNames.join(', ');
        const suggestion = explainUnknownTool(selection.unknownNames[0]!, [
          ...areas,
          ...operations.keys(),
        ]);
        throw refuse('toolsUnknown', { names, suggestion, areas: areas.join(', ') });
      }
      const context = createMessageContext(server, request, {
        operations,
        selection,
        instanceName: instanceStore.current.displayName,
        findCaller: () => findAllowedCaller(app, request),
      });
      const callAndCount: MessageContext['callOperation'] = (operation, fields) => {
        isCounted = true;
        return context.callOperation(operation, fields);
      };
      const headers = protocolHeaders(request);
      const response = await handleMessage(
        { ...context, callOperation: callAndCount },
        { message, headers },
      );
      await countUncounted();
      if (response.status >= 400) {
        const { code, status } = toRefusalFor(response);
        request.refused = { reason: code };
        void reply.status(status).header(ERROR_CODE_HEADER, code);
      } else void reply.status(response.status);
      const text = await response.text();
      return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
    });
  });
}

/** `operator` becomes `all` if the account is no longer an operator. */
async function findAllowedCaller(
  { queues }: Pick<Core, 'queues'>,
  request: FastifyRequest,
): Promise<ToolCaller> {
  const caller = requireCaller(request);
  const { accountId, scope, credential } = caller;
  if (scope !== 'operator') return caller;
  return (await isOperator(queues.reads.databaseFor(accountId), accountId))
    ? caller
    : { scope: 'all', credential };
}

/** Loaded with the first message, because most servers never get one. */
async function loadModules(pathsOff: ReadonlySet<string>) {
  const [{ handleMessage }, { readOperations }] = await Promise.all([
    import('./protocol.ts'),
    import('./operations.ts'),
  ]);
  return { handleMessage, operations: await readOperations(pathsOff) };
}

function createMessageContext(
  server: FastifyInstance,
  request: FastifyRequest,
  options: Pick<MessageContext, 'operations' | 'selection' | 'instanceName' | 'findCaller'>,
): MessageContext {
  const caller = requireCaller(request);
  const page = options.operations.get('page_getPageVersion');
  const call = (operation: Operation, fields?: Record<string, unknown>) =>
    callOperation(server, request, operation.route, fields);
  return {
    ...options,
    pageOperation: page && mayCallerCall(caller, page.route) ? page : undefined,
    callOperation: (operation, fields) =>
      (caller.credential.kind === 'grant'
        ? delegatedCaller.run(caller, () => call(operation, fields))
        : call(operation, fields)
      ).catch((error: unknown) => {
        request.log.error({ err: error }, 'the operation of a tool could not be called');
        throw new Error('Something went wrong on the server.');
      }),
  };
}

/** Accepts only objects. Batches existed only in one old revision of the protocol. */
function parseMessage({ body }: FastifyRequest): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw refuse('messageInvalid');
}

function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const mcpHeaders = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return Object.fromEntries(mcpHeaders.map(([name, value]) => [name, String(value)]));
}

/** For the `x-error-code` header. The body has the JSON-RPC error. */
function toRefusalFor({ status }: Response): RefusalError {
  if (status >= 500) return refuse('internalError');
  return refuse(status === 404 ? 'messageUnknown' : 'messageInvalid');
}

/**
 * Ignores session cookies, because browsers send them automatically. Refuses requests from other
 * origins even with a key, to prevent DNS rebinding.
 */
function acceptApiKeysOnly(server: FastifyInstance, { origin }: Pick<Core, 'origin'>): void {
  const checkSameOrigin = createSameOriginCheck(origin);
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    delete headers.cookie;
    done(headers.origin === undefined ? undefined : checkSameOrigin(request));
  });
}

/**
 * Accepts access tokens of clients that a member connected with OAuth. Without credentials, the 401
 * says where to get one (RFC 9728), but not to clients that send a key: they would try OAuth.
 */
function acceptConnectedApps(server: FastifyInstance, { oauth }: Pick<Services, 'oauth'>): void {
  if (oauth?.issuer === undefined) return;
  const { issuer } = oauth;
  const readToken = (request: FastifyRequest) =>
    request.headers['x-api-key'] === undefined ? readBearer(request) : undefined;
  const carriesKey = ({ headers }: FastifyRequest) =>
    headers['x-api-key'] !== undefined || /\bnp_/i.test(headers.authorization ?? '');
  server.addHook('onRequest', async (request) => {
    const token = readToken(request);
    if (token === undefined) return;
    const caller = await oauth.authenticate(token);
    if (caller) request.caller = caller;
  });
  server.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 401 && !carriesKey(request)) {
      const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`;
      const problem = readToken(request) === undefined ? '' : 'error="invalid_token", ';
      reply.header('www-authenticate', `Bearer ${problem}${metadata}`);
    }
    return payload;
  });
}
