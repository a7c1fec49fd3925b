import {
  APIError,
  ConflictError,
  MetricsBuffer,
  Nameplate,
  otherKind,
  type APIPromise,
  type BlockUpdate,
  type DroppedMetric,
  type SiteConfigurationResponse,
} from '@nameplate/client';
import { verifyWebhook } from '@nameplate/client/webhooks';

const client = new Nameplate({
  apiKey: 'np_some.key',
  fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init),
  logger: console,
  fetchOptions: { cache: 'no-store', dispatcher: {} },
});
export const fromEnvironment = new Nameplate();
export const rotating = client.withOptions({ apiKey: async () => 'np_some.key', fetch });

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectTrue<_Condition extends true>(): void {}

export async function useClient(signal: AbortSignal): Promise<void> {
  const { display_name } = await client.account.getDisplayName({ signal, timeout: 1000 });
  expectTrue<Equal<typeof display_name, string>>();

  const promise = client.site.getSiteConfiguration();
  expectTrue<Equal<typeof promise, APIPromise<SiteConfigurationResponse>>>();
  const { data, status, headers, requestId } = await promise.withResponse();
  expectTrue<Equal<typeof status, number>>();
  expectTrue<Equal<typeof headers, Headers>>();
  expectTrue<Equal<typeof requestId, string | undefined>>();
  expectTrue<Equal<typeof data.site.bio, string | null>>();

  for (const block of data.blocks) {
    if (block.type === 'link') expectTrue<Equal<typeof block.title, string | undefined>>();
    if (block.type === otherKind('poll')) expectTrue<Equal<(typeof block)['answers'], unknown>>();
  }
  for await (const project of client.stats.getProjects())
    expectTrue<Equal<typeof project.id, string>>();
  const firstProjects = await client.stats.getProjects().toArray({ limit: 3 });
  expectTrue<Equal<(typeof firstProjects)[number]['id'], string>>();
  const response = await client.request('GET', '/openapi.json').asResponse();
  expectTrue<Equal<typeof response, Response>>();

  // A configuration that was read can be sent back.
  await client.site.updateSiteConfiguration({ ...data.site, blocks: data.blocks });
  const blocks: BlockUpdate[] = [{ type: otherKind('poll'), answers: ['a', 'b'] }];
  await client.site.updateSiteConfiguration({ bio: null, theme_id: '', blocks });

  const { newStatus } = await client.site.toggleSiteVisibility({ idempotencyKey: 'one' });
  expectTrue<Equal<typeof newStatus, boolean>>();

  const { made } = await client.request<{ made: boolean }>('POST', '/new/thing', { some: 'body' });
  expectTrue<Equal<typeof made, boolean>>();

  const dropped: DroppedMetric[] = [];
  const buffer = new MetricsBuffer(client, { onDrop: (item) => dropped.push(item) });
  const isAdded = buffer.add({
    projectId: 'p',
    payload: { visitors: 1, nested: { deep: [null] } },
  });
  expectTrue<Equal<typeof isAdded, boolean>>();
  const { sent } = await buffer.close({ signal });
  expectTrue<Equal<typeof sent, number>>();
  for (const { metric, idempotencyKey } of dropped) buffer.add(metric, { idempotencyKey });

  try {
    await client.hooks.sendChatWebhook({
      webhookUrl: 'https://discord.com/api/webhooks/1/t',
      payload: { embeds: [{ title: 'One', color: 5 }] },
    });
  } catch (error) {
    if (error instanceof ConflictError) expectTrue<Equal<typeof error.message, string>>();
    if (error instanceof APIError) expectTrue<Equal<typeof error.status, number>>();
  }
}

export async function receive(request: Request): Promise<string> {
  const event = await verifyWebhook(await request.text(), request.headers, 'whsec_…');
  return event.type === 'display_name_updated' ? event.data.to : event.type;
}
