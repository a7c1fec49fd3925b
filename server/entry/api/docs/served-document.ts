import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DEFAULT_WEBHOOK_HOSTS, webhookHostsOf } from '#server/features/chat/chat-client.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import type { Core } from '#server/core.ts';

/** A server has few URLs, but clients can send any `Host` header. */
const MAX_CACHED_ORIGINS = 8;
/** Strict, because the host becomes part of shell samples and pages. */
const HOST_PATTERN =
  /^(?=.{1,255}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

export async function createDocumentProvider(
  loading: Promise<OpenApiDocument>,
  { config, instanceStore }: Pick<Core, 'config' | 'instanceStore'>,
): Promise<(origin: string | undefined) => Buffer> {
  const document = await loading;
  const [{ url: defaultUrl }] = document.servers as [{ url: string }];
  const servers = [{ ...document.servers[0], description: 'This server' }];
  const replacer = createWebhookUrlReplacer(webhookHostsOf(config));
  let version = instanceStore.version;
  // Buffers, because a string would be copied for each response.
  const documents = new LRUCache<string, Buffer>({
    max: MAX_CACHED_ORIGINS,
    memoMethod: (origin) => {
      const name = instanceStore.current.name ?? document.info.contact.name;
      const info = { ...document.info, contact: { name } };
      const text = JSON.stringify({ ...document, info, servers }, replacer, 2);
      return Buffer.from(`${text.replaceAll(defaultUrl, origin)}\n`);
    },
  });
  return (origin) => {
    if (version !== instanceStore.version) documents.clear();
    version = instanceStore.version;
    return documents.memo(config.PUBLIC_URL ?? origin ?? defaultUrl);
  };
}

function createWebhookUrlReplacer(webhookHosts: readonly string[]) {
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
          pattern: value.pattern.replace(/(?<=^[^/]*:\/\/).*?(?=\/api)/, `(?:${hosts.join('|')})`),
        }
      : value;
}

export function findRequestOrigin({ headers }: FastifyRequest): string | undefined {
  if (!HOST_PATTERN.test(headers.host ?? '')) return undefined;
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${headers.host}`;
}
