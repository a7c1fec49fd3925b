import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { mayCall, type Scope } from '#contract/scope.ts';
import { isOperator } from '#db/queries/operators.ts';
import { callerOf } from '../http/access/caller.ts';
import { guard, type Guarding } from '../http/access/guard.ts';
import { ERROR_CODE } from '../http/answers/headers.ts';
import { BELOW_ENDPOINTS } from '../http/answers/refusals.ts';
import { acceptJsonOnly } from '../http/contract/json-body.ts';
import { jsonSurface } from '../http/surface.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';
import { loadOnce } from '../load-once.ts';
import { type RefusalError, refuserOf } from '../refusal.ts';
import { callOperation } from './call-operation.ts';
import type { Operation } from './operations.ts';
import { NO_TOOLS, type Session } from './protocol.ts';
import { refuseOtherSites } from '../http/access/same-origin.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Messages that may send a request of their own, which is counted instead of them. */
const CALLS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read']);

/** Dependencies of the MCP server. */
export interface McpDependencies extends Guarding {
  queues: DatabaseQueues;
}

/** `/mcp`: every operation of a key as a tool of the Model Context Protocol, without sessions. */
export function mcp(dependencies: McpDependencies): FastifyPluginAsync {
  const { rates, queues } = dependencies;
  return jsonSurface(async (scope) => {
    acceptJsonOnly(scope, 'params');
    acceptApiKeysOnly(scope, dependencies.publicUrl);
    guard(scope, { ...dependencies, rates: { ...rates, limitAccount: undefined } });
    scope.addHook('preHandler', async (request, reply) => {
      if (!CALLS.has((request.body as { method?: unknown } | null | undefined)?.method))
        await rates.limitAccount?.call(scope, request, reply);
    });
    const loadMcp = loadOnce(load);
    /** Scope of the key. `operator` counts as `all` if the account is no longer an operator. */
    const allowedScope = async (request: FastifyRequest): Promise<Scope> => {
      const { accountId, scope: own } = callerOf(request);
      if (own !== 'operator') return own;
      return (await isOperator(queues.reads.of(accountId), accountId)) ? own : 'all';
    };
    scope.post('/mcp', async (request, reply) => {
      const message = messageIn(request);
      const { answerMessage, operations } = await loadMcp();
      const session = sessionOf(scope, request, operations);
      let isCounted = !CALLS.has(message['method']);
      const call: Session['call'] = (operation, fields) => {
        isCounted = true;
        return session.call(operation, fields);
      };
      const headers = protocolHeaders(request);
      const answer = await answerMessage({ ...session, call }, { message, headers });
      // An unknown tool, for example, sends no request that could be counted.
      if (!isCounted) await rates.limitAccount?.call(scope, request, reply);
      if (answer.status >= 400) {
        const { code, status } = problemOf(answer);
        request.refused = { reason: code };
        void reply.status(status).header(ERROR_CODE, code);
      } else void reply.status(answer.status);
      let text = await answer.text();
      if (message['method'] === 'tools/list' && answer.status === 200) {
        const tools = toolsOf(await allowedScope(request), operations);
        text = text.replace(NO_TOOLS, () => `"tools":${tools}`);
      }
      return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
    });
  });
}

/** Tool lists as JSON, by scope. They never change and are too large to serialize for each message. */
const toolLists = new Map<Scope, string>();

function toolsOf(scope: Scope, operations: ReadonlyMap<string, Operation>): string {
  let list = toolLists.get(scope);
  if (list === undefined) {
    const allowed = [...operations.values()].filter(({ route }) => mayCall(scope, route));
    list = JSON.stringify(allowed.map(({ tool }) => tool));
    toolLists.set(scope, list);
  }
  return list;
}

/** Loads the SDK and the operations with the first message, because most servers never use them. */
async function load() {
  const [{ answerMessage }, { readOperations }] = await Promise.all([
    import('./protocol.ts'),
    import('./operations.ts'),
  ]);
  return { answerMessage, operations: await readOperations() };
}

function sessionOf(
  app: FastifyInstance,
  request: FastifyRequest,
  operations: ReadonlyMap<string, Operation>,
): Session {
  const { scope } = callerOf(request);
  const page = operations.get('page_getVersion');
  return {
    find: (name) => operations.get(name),
    page: page && mayCall(scope, page.route) ? page : undefined,
    call: (operation, fields) =>
      callOperation(app, request, operation.route, fields).catch((error: unknown) => {
        request.log.error({ err: error }, 'the operation of a tool could not be called');
        throw new Error('Something went wrong on the server.');
      }),
  };
}

/** The one message of a request. Batches were part of a single revision of the protocol. */
function messageIn({ body }: FastifyRequest): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw refuse('messageInvalid');
}

/** Headers of the protocol itself; credentials stay here. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

/** The name of what a message was answered without being run; its body says more, in JSON-RPC. */
function problemOf({ status }: Response): RefusalError {
  if (status >= 500) return refuse('internalError');
  return refuse(status === 404 ? 'messageUnknown' : 'messageInvalid');
}

/**
 * Accepts API keys only, because browsers send session cookies automatically. Requests from other origins
 * are refused even with a key, against DNS rebinding.
 */
function acceptApiKeysOnly(scope: FastifyInstance, publicUrl: string | undefined): void {
  const siteProblem = refuseOtherSites(scope, publicUrl);
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    delete headers.cookie;
    done(headers.origin === undefined ? undefined : siteProblem(request));
  });
}
