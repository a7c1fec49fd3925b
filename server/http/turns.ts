import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection has to do: a request, or what follows the answers to all before. */
interface Turn {
  request?: IncomingMessage;
  response?: ServerResponse;
  begin: () => void;
}

/** The requests of each connection that are not answered, the one that runs first. */
const lines = new WeakMap<Socket, Turn[]>();

/**
 * Lets one request of a connection run at a time, in the order in which they came. While requests
 * wait, no more is read of their connection; if it is gone, they are forgotten.
 */
export function inTurn(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // Nobody would hear the answer: it comes behind one that was the last.
    if (!socket.writable) return;
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    const turn: Turn = {
      request,
      response,
      begin: () => {
        response.once('close', () => endTurn(socket, line, turn));
        handle(request, response);
      },
    };
    line.push(turn);
    if (line.length === 1) turn.begin();
    // Not at once: the parser, which calls this, reads on when a request is complete.
    else if (line.length === 2) setImmediate(() => line.length > 1 && socket.pause());
  };
}

/**
 * Does something when all requests that a connection has sent whole are answered, to the one that runs
 * and is not whole if there is one.
 */
export function afterAnswers(
  socket: Socket,
  begin: (halfSent?: Pick<Turn, 'request' | 'response'>) => void,
): void {
  if (!socket.writable) return;
  const line = lines.get(socket) ?? [];
  const halfSent = line.at(-1)?.request?.complete === false ? line.pop() : undefined;
  if (line.length === 0) return begin(halfSent);
  line.push({ begin });
  setImmediate(() => line.length > 1 && socket.pause());
}

/** The request of a connection that runs, and its answer; undefined between requests. */
export function turnOf(socket: Socket): Pick<Turn, 'request' | 'response'> | undefined {
  return lines.get(socket)?.[0];
}

/** Whether more waits behind the request that runs. */
export function isFollowed(socket: Socket): boolean {
  return (lines.get(socket)?.length ?? 0) > 1;
}

function endTurn(socket: Socket, line: Turn[], turn: Turn): void {
  if (line[0] === turn) line.shift();
  if (line.length <= 1 && socket.isPaused()) socket.resume();
  const [next] = line;
  // Others have their turn between two requests of one connection.
  if (next) setImmediate(() => (socket.writable ? next.begin() : line.splice(0)));
}
