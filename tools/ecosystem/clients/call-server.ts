import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import { client as heyApi } from '../generated/hey-api/client.gen.ts';
import * as heyApiSdk from '../generated/hey-api/sdk.gen.ts';
import * as kubb from '../generated/kubb/index.ts';
import type { paths } from '../generated/openapi-typescript/schema.d.ts';
import * as orval from '../generated/orval/client.ts';
import { Api } from '../generated/swagger-typescript-api/api.ts';

type Operation =
  | 'getDisplayName'
  | 'updateDisplayName'
  | 'getSiteConfiguration'
  | 'updateSiteConfiguration'
  | 'getProjects'
  | 'ingestMetrics';
type Call = (...args: unknown[]) => Promise<{ data?: unknown }>;
type Operations = Record<Operation, Call>;

const [baseUrl, apiKey] = process.argv.slice(2) as [string, string];
const headers = { 'X-API-KEY': apiKey };
const openapiFetch = createClient<paths>({ baseUrl, headers });
heyApi.setConfig({ baseUrl, headers, throwOnError: true });
const swagger = new Api({ baseUrl, baseApiParams: { headers } });
const swaggerOperations = { ...swagger.account, ...swagger.site, ...swagger.stats } as Operations;
// Orval's functions call paths without a host.
const { fetch } = globalThis;
globalThis.fetch = (input, init) =>
  fetch(typeof input === 'string' ? new URL(input, baseUrl) : input, init);

const CLIENTS: Record<string, (operation: Operation, body?: object) => Promise<unknown>> = {
  'openapi-fetch': async (operation, body) => {
    const calls = {
      getDisplayName: () => openapiFetch.GET('/account/get-display-name'),
      updateDisplayName: () =>
        openapiFetch.POST('/account/update-display-name', { body: body as never }),
      getSiteConfiguration: () => openapiFetch.GET('/site/get-site-configuration'),
      updateSiteConfiguration: () =>
        openapiFetch.POST('/site/update-site-configuration', { body: body as never }),
      getProjects: () => openapiFetch.GET('/stats/get-projects'),
      ingestMetrics: () => openapiFetch.POST('/stats/ingest-metrics', { body: body as never }),
    };
    return (await calls[operation]()).data;
  },
  'hey-api': async (operation, body) =>
    (await (heyApiSdk as unknown as Operations)[operation]({ body })).data,
  orval: async (operation, body) =>
    (await (orval as unknown as Operations)[operation](...(body ? [body] : []), { headers })).data,
  kubb: async (operation, body) => {
    const config = { headers: { ...headers, 'Content-Type': 'application/json' } };
    const call = (kubb as unknown as Operations)[operation];
    // Between the body and the options are the headers of the operation.
    return body ? call(body, {}, config) : call(config);
  },
  'swagger-typescript-api': async (operation, body) =>
    (await swaggerOperations[operation](...(body ? [body] : []))).data,
};

for (const [name, call] of Object.entries(CLIENTS)) {
  await call('updateDisplayName', { display_name: `Made by ${name}` });
  assert.deepEqual(await call('getDisplayName'), { display_name: `made-by-${name}` });
  const { projects } = (await call('getProjects')) as { projects: { id: string }[] };
  assert.deepEqual(
    await call('ingestMetrics', { projectId: projects[0]!.id, payload: { made_by: name } }),
    { message: 'The metric was ingested.' },
  );
  // Pages may have kinds that the document does not list, and known kinds with other fields.
  const blocks = [
    { type: 'text', content: name, enabled: true },
    { type: 'poll', question: 'Tea?', enabled: true },
    { type: 'event', starts_at: 5, enabled: true },
  ];
  await call('updateSiteConfiguration', { bio: name, blocks });
  const page = (await call('getSiteConfiguration')) as {
    site: { bio: string };
    blocks: { id: string }[];
  };
  assert.equal(page.site.bio, name);
  assert.deepEqual(
    page.blocks.map(({ id: _id, ...block }) => block),
    blocks,
  );
}
