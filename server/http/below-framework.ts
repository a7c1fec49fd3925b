import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { closingAnswer, endSoon, refuseOnSocket } from './last-words.ts';
import { ServerResponse } from './node-http.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';
import type { RequestLog } from './request-log.ts';
import { afterAnswers, inTurn } from './turns.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** What the parser refuses, by its error code. */
const PARSER_ERRORS: Record<string, RefusalError> = {
  HPE_HEADER_OVERFLOW: refuse('headersTooLarge'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('chunkExtensionsTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('requestTimeout'),
};

/** Longer than any answer takes: for a connection that Node no longer looks after. */
const TAKEN_OVER_MS = 10_000;

/** Answers what the framework never gets to see: what is not HTTP, odd expectations, and CONNECT. */
export function answerBelowFramework(
  server: Server,
  handle: RequestListener,
  log: RequestLog,
): void {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // All that follows what could not be read is refused, too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refusal = PARSER_ERRORS[error.code ?? ''] ?? refuse('requestMalformed');
    afterAnswers(socket, ({ request, response } = {}) => {
      const isHandled = request && response;
      const id = isHandled ? log.cutShort(request, response, refusal) : log.refused(refusal);
      refuseOnSocket(socket, refusal, id);
    });
  });
  // Node would answer by itself without a body.
  const refuseExpectation = inTurn((request, response) => {
    const refusal = refuse('expectationFailed');
    const { headers, body } = closingAnswer(refusal, log.refused(refusal, request));
    response.writeHead(refusal.status, headers).end(body);
  });
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', (request, stream) => {
    const socket = stream as Socket;
    // Without a listener a reset would end the process.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(TAKEN_OVER_MS, () => socket.destroy());
    afterAnswers(socket, () => {
      if (!request.url?.startsWith('/')) {
        const refusal = refuse('methodNotSupported', { headers: { allow: '' } });
        return refuseOnSocket(socket, refusal, log.refused(refusal, request));
      }
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.on('finish', () => endSoon(socket));
      handle(request, response);
    });
  });
}
