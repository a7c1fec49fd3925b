import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type RefusalError, refuserOf } from '../../service/refusal.ts';
import { BELOW_ENDPOINTS } from '../answers/refusals.ts';
import type { RequestLog } from './request-log.ts';
import { closeWithAnswer } from './close-with-answer.ts';
import { afterAnswers } from './request-queue.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Refusals by the parser's error code. */
const PARSER_ERRORS: Record<string, RefusalError> = {
  HPE_HEADER_OVERFLOW: refuse('headersTooLarge'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('chunkExtensionsTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('requestTimeout'),
};

/** Answers what Fastify never gets to see: bytes that are not HTTP, and CONNECT. */
export function answerRawConnections(server: Server, log: RequestLog): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const refusal = PARSER_ERRORS[error.code ?? ''] ?? refuse('requestMalformed');
    // The requests before it may be writes: theirs is the first answer.
    afterAnswers(socket, ({ request, response } = {}) => {
      const isRunning = request && response;
      const id = isRunning ? log.cutShort(request, response, refusal) : log.refused(refusal);
      closeWithAnswer(socket, refusal, id);
    });
  });
  server.on('connect', (request, stream) => {
    const socket = stream as Socket;
    // Without a listener a reset would end the process.
    socket.on('error', () => socket.destroy());
    const refusal = refuse('methodNotSupported', { headers: { allow: '' } });
    afterAnswers(socket, () => closeWithAnswer(socket, refusal, log.refused(refusal, request)));
  });
}
