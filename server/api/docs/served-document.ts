import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DEFAULT_WEBHOOK_HOSTS } from '#server/features/chat/chat-client.ts';

/** A server has few; anybody can make up more. */
const ADDRESSES = 8;
/** A name or an address with an optional port, and nothing that a shell or a page could take for more. */
const HOST =
  /^(?=.{1,255}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

/** Makes a document as this server publishes it: with the address that callers use in its samples. */
export async function servedDocument(
  file: 'openapi.json' | 'openapi-owner.json',
  publicUrl: string | undefined,
  webhookHosts: readonly string[] = DEFAULT_WEBHOOK_HOSTS,
): Promise<(request: FastifyRequest) => Buffer> {
  const document = JSON.parse(
    await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8'),
  ) as { servers: { url: string }[] };
  const [{ url: local }] = document.servers as [{ url: string }];
  const servers = [{ ...document.servers[0], description: 'This server' }];
  const text = `${JSON.stringify({ ...document, servers }, replacer(webhookHosts), 2)}\n`;
  // In bytes, once: a text would be copied for everybody who reads it.
  const documents = new LRUCache<string, Buffer>({
    max: ADDRESSES,
    memoMethod: (address) => Buffer.from(text.replaceAll(local, address)),
  });
  return (request) => documents.memo(publicUrl ?? addressOf(request) ?? local);
}

/** Puts the hosts that the operator allows into the pattern of webhook URLs. */
function replacer(webhookHosts: readonly string[]) {
  if (webhookHosts === DEFAULT_WEBHOOK_HOSTS) return undefined;
  const hosts = webhookHosts.map((host) =>
    host
      .replaceAll('.', String.raw`\.`)
      .replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`),
  );
  return (name: string, value: { pattern?: string }) =>
    name === 'webhookUrl' && value.pattern !== undefined
      ? {
          ...value,
          pattern: value.pattern.replace(/(?<=:\/\/).*?(?=\/api)/, `(?:${hosts.join('|')})`),
        }
      : value;
}

/** Address that a caller asked for; undefined if it cannot be one. */
function addressOf({ headers }: FastifyRequest): string | undefined {
  if (!HOST.test(headers.host ?? '')) return undefined;
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host}`;
}
