import type { IncomingMessage } from 'node:http';
import { endUnread } from './last-words.ts';

/** What costs less to read to its end than a new connection. */
const SMALL_BYTES = 65_536;

/** Says whether an answer leaves more of its request unread than is worth reading; then the connection ends with it. */
export function endWithUnreadBody(request: IncomingMessage): boolean {
  const { complete, headers, socket } = request;
  if (complete) return false;
  const isSmall = Number(headers['content-length'] ?? 0) <= SMALL_BYTES;
  // Whoever waits to be asked for the body may not send it any more.
  if (isSmall && headers['transfer-encoding'] === undefined && headers.expect === undefined)
    return false;
  endUnread(socket);
  return true;
}
