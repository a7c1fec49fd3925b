import type { IncomingMessage } from 'node:http';
import { closeUnread } from './close-with-answer.ts';

/** Size of a body that costs less to read to its end than a new connection does. */
const SMALL_BYTES = 65_536;

/** Closes the connection with the answer if much of the request is still unread; returns whether it does. */
export function closeWithUnreadBody({ complete, headers, socket }: IncomingMessage): boolean {
  const isSmall =
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BYTES;
  if (complete || isSmall) return false;
  // Node calls it after the last answer of a connection, and would reset it.
  socket.destroySoon = () => closeUnread(socket);
  return true;
}
