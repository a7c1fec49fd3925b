import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';

const FILE = new URL('../../openapi.json', import.meta.url);
/** A name or an address with an optional port, and nothing that a shell or a page could take for more. */
const HOST =
  /^(?=.{1,255}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

/** Makes `openapi.json` as this server publishes it: with the address that callers use in its samples. */
export async function servedDocument(
  publicUrl: string | undefined,
): Promise<(request: FastifyRequest) => string> {
  const document = JSON.parse(await readFile(FILE, 'utf8')) as { servers: { url: string }[] };
  const [{ url: local }] = document.servers as [{ url: string }];
  const servers = [{ ...document.servers[0], description: 'This server' }];
  const text = `${JSON.stringify({ ...document, servers }, null, 2)}\n`;
  return (request) => text.replaceAll(local, publicUrl ?? addressOf(request) ?? local);
}

/** What a caller asked, if it can be an address; undefined otherwise. */
function addressOf({ headers }: FastifyRequest): string | undefined {
  if (!HOST.test(headers.host ?? '')) return undefined;
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host}`;
}
