import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript/schema.d.ts';

const [baseUrl, apiKey] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': apiKey } });

const renamed = await client.POST('/account/update-display-name', {
  body: { display_name: 'Made by openapi-fetch' },
});
assert.equal(renamed.data?.success, true);
const name = await client.GET('/account/get-display-name');
assert.equal(name.data?.display_name, 'made-by-openapi-fetch');
const projects = await client.GET('/stats/get-projects');
const projectId = projects.data?.projects[0]?.id;
assert.match(projectId ?? '', /^[0-9a-f-]{36}$/);
const ingested = await client.POST('/stats/ingest-metrics', {
  body: { projectId: projectId!, payload: { made_by: 'openapi-fetch' } },
});
assert.equal(ingested.data?.message, 'The metric was ingested.');
