import assert from 'node:assert/strict';

/**
 * Operations that the called clients offer. Each resolves to undefined if the server responds
 * with an error.
 */
export interface ClientAdapter {
  rename: (name: string) => Promise<true | undefined>;
  readName: () => Promise<string | undefined>;
  findFirstProjectId: () => Promise<string | undefined>;
  ingest: (projectId: string, payload: Record<string, unknown>) => Promise<string | undefined>;
}

const [name, url, apiKey] = process.argv.slice(2) as [string, string, string];
const { createClientAdapter } = (await import(`./${name}.ts`)) as {
  createClientAdapter: (url: string, apiKey: string) => ClientAdapter;
};
const client = createClientAdapter(url, apiKey);
assert.equal(await client.rename(`Made by ${name}`), true);
assert.equal(await client.readName(), `made-by-${name}`);
const projectId = await client.findFirstProjectId();
assert.match(projectId ?? '', /^[0-9a-f-]{36}$/);
assert.equal(await client.ingest(projectId!, { made_by: name }), 'The metric was ingested.');
