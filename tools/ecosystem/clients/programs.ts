import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { validate } from '@scalar/openapi-parser';
import { openApiToBruno } from '@usebruno/converters';
import { convert } from 'insomnia-importers';
import SwaggerClient from 'swagger-client';

/** Other programs that read the document. Each imports it, and makes a call if it can. */
const [baseUrl, apiKey] = process.argv.slice(2) as [string, string];
const text = readFileSync('../../openapi.json', 'utf8');
const headers = { 'X-API-KEY': apiKey };

interface Item {
  items?: Item[];
  request?: { headers: { name: string; enabled: boolean }[]; body: { json?: string | null } };
}

function checkBruno(): void {
  const listRequests = ({ items = [], request }: Item): NonNullable<Item['request']>[] => [
    ...(request ? [request] : []),
    ...items.flatMap(listRequests),
  ];
  const requests = listRequests(openApiToBruno(JSON.parse(text)) as Item);
  assert.equal(requests.length, 11);
  for (const request of requests)
    assert.ok(request.headers.every(({ name, enabled }) => name !== 'Idempotency-Key' || !enabled));
  assert.ok(requests.some(({ body }) => body.json?.includes('"display_name": "Jane Doe"')));
}

async function checkScalar(): Promise<void> {
  const { valid, errors } = await validate(text);
  assert.deepEqual([valid, errors ?? []], [true, []]);
}

/** It knows only OpenAPI 3.0, into which docs/api.md says how to convert. */
async function checkInsomnia(): Promise<void> {
  const file = 'generated/openapi-3.0.json';
  execFileSync('openapi-down-convert', ['-i', '../../openapi.json', '-o', file]);
  const { data } = await convert(readFileSync(file, 'utf8'));
  const requests = data.resources.filter(({ _type }) => _type === 'request');
  assert.equal(requests.length, 11);
  assert.match(JSON.stringify(requests), /display_name.{1,8}Jane Doe/);
}

/** The part of Swagger UI that reads documents and sends requests. */
async function checkSwaggerClient(): Promise<void> {
  const client = await SwaggerClient({
    spec: { ...(JSON.parse(text) as object), servers: [{ url: baseUrl }] },
    authorizations: { ApiKey: apiKey },
  });
  assert.deepEqual(client.errors, []);
  const { body } = await client.execute({ operationId: 'getSiteStatus' });
  assert.equal(typeof body.enabled, 'boolean');
}

/** A proxy that refuses requests and responses that the document does not allow. */
async function checkPrism(): Promise<void> {
  const port = '4010';
  const options = ['proxy', '../../openapi.json', baseUrl, '--errors', '--port', port];
  const prism = spawn('prism', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise<void>((resolve) => {
      prism.stdout.on('data', (chunk) => /listening/.test(String(chunk)) && resolve());
    });
    const send = async (path: string, body?: object) => {
      const init = body && { method: 'POST', body: JSON.stringify(body) };
      const type = { 'Content-Type': 'application/json' };
      const url = `http://127.0.0.1:${port}${path}`;
      return (await fetch(url, { ...init, headers: { ...headers, ...(body && type) } })).status;
    };
    assert.equal(await send('/site/get-site-configuration'), 200);
    assert.equal(await send('/site/update-site-configuration', { bio: 'Prism', mood: null }), 200);
    assert.equal(await send('/site/update-site-configuration', { bio: 5 }), 422);
  } finally {
    prism.kill();
    await once(prism, 'exit');
  }
}

checkBruno();
await checkInsomnia();
await checkScalar();
await checkSwaggerClient();
await checkPrism();
