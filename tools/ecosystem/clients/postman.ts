import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import postman from 'openapi-to-postmanv2';

interface Item {
  item?: Item[];
  request?: { header: { key: string; disabled?: boolean }[]; body?: { raw?: string } };
}
interface Operation {
  requestBody?: { content: Record<string, { example: unknown }> };
}

const data = readFileSync('../../openapi.json', 'utf8');
// The settings that docs/api.md recommends. With the defaults, the converter makes up one
// Idempotency-Key for all requests.
const settings = { parametersResolution: 'Example', enableOptionalParameters: false } as const;
const collection = await new Promise<Item>((resolve, reject) => {
  postman.convertV2({ type: 'string', data }, settings, (error, result) => {
    if (error) reject(error);
    else resolve(result?.output?.[0]?.data as Item);
  });
});
const { paths } = JSON.parse(data) as { paths: Record<string, Record<string, Operation>> };
const examples = new Set(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ requestBody }) => JSON.stringify(requestBody?.content['application/json']?.example)),
);
const requests = listRequests(collection);
assert.equal(requests.length, 11);
for (const { header, body } of requests) {
  assert.ok(header.every(({ key, disabled }) => key !== 'Idempotency-Key' || disabled));
  if (body?.raw) assert.ok(examples.has(JSON.stringify(JSON.parse(body.raw))), body.raw);
}

function listRequests({ item = [], request }: Item): NonNullable<Item['request']>[] {
  return [...(request ? [request] : []), ...item.flatMap(listRequests)];
}
