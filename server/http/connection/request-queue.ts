import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request that is not answered yet, or an answer to bytes that were no request. */
interface Queued {
  request?: IncomingMessage;
  response?: ServerResponse;
  start: () => void;
}

/** Unanswered requests of each connection; the first one is running. */
const queues = new WeakMap<Socket, Queued[]>();

/**
 * Runs one request of a connection at a time. Node hands over all pipelined requests of one read at
 * once: hundreds would run before any limit sees them. While requests wait, nothing more is read.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // The answer before was the last one on this connection.
    if (!socket.writable) return;
    enqueue(socket, {
      request,
      response,
      start: () => {
        response.once('close', () => startNext(socket));
        handle(request, response);
      },
    });
  };
}

/**
 * Calls `answer` once all complete requests of a connection are answered. A request whose body is still
 * arriving is given up; `answer` gets it if it was running.
 */
export function afterAnswers(
  socket: Socket,
  answer: (running?: Pick<Queued, 'request' | 'response'>) => void,
): void {
  if (!socket.writable) return;
  const queue = queues.get(socket) ?? [];
  const incomplete = queue.at(-1)?.request?.complete === false ? queue.pop() : undefined;
  if (queue.length === 0) answer(incomplete);
  else enqueue(socket, { start: () => answer() });
}

/** Request of a connection that is running, if any. */
export function runningRequest(socket: Socket): Queued | undefined {
  return queues.get(socket)?.[0];
}

function enqueue(socket: Socket, queued: Queued): void {
  const queue = queues.get(socket) ?? [];
  queues.set(socket, queue);
  queue.push(queued);
  if (queue.length === 1) queued.start();
  // Not at once, because the parser that called this resumes the socket when it returns.
  else if (queue.length === 2) setImmediate(() => queue.length > 1 && socket.pause());
}

function startNext(socket: Socket): void {
  const queue = queues.get(socket) ?? [];
  queue.shift();
  if (queue.length <= 1 && socket.isPaused()) socket.resume();
  const [next] = queue;
  // Other connections run in between.
  if (next) setImmediate(() => (socket.writable ? next.start() : queue.splice(0)));
}
