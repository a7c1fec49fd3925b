import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadRequestError, Nameplate, NotFoundError } from '../../client/src/index.ts';
import { type Owner, ownerOf } from '../../client/src/owner.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { ownerEndpoints } from '../support/endpoints.ts';
import { respondJson, startServer } from './support/server.ts';

const apiKey = 'np_test.secret';

describe('every operation of the owner contract', () => {
  it.for(ownerEndpoints.filter(({ name }) => !/^(?:export|download)/.test(name)))(
    'owner.$area.$name calls $method $path and returns the body',
    async ({ area, name, method, path, body, query }) => {
      const { url, received } = await startServer((response) =>
        respondJson(response, 200, { ok: 1 }),
      );
      const owner = ownerOf(new Nameplate({ apiKey, baseUrl: url }));
      const methods = owner[area as keyof Owner] as unknown as Record<
        string,
        (input?: object) => Promise<unknown>
      >;
      const input = body || query ? { some: 'thing & more', left: undefined } : undefined;
      expect(await methods[name]!(input)).toEqual({ ok: 1 });
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({
        method,
        url: query ? `${path}?some=thing+%26+more` : path,
        body: body ? '{"some":"thing & more"}' : '',
      });
      expect(received[0]!.headers).toMatchObject({ 'x-api-key': apiKey });
      expect('idempotency-key' in received[0]!.headers).toBe(method !== 'GET');
    },
  );
});

describe('the owner operations', () => {
  let server: TestApp;
  let account: TestAccount;
  beforeAll(async () => {
    server = await startTestApp();
    account = await server.createAccount();
  });
  afterAll(() => server.close());

  it('create keys and projects, and throw the client’s errors', async () => {
    const owner = ownerOf(account.client);
    const { project } = await owner.projects.createProject({ name: 'Shop' });
    const { key, api_key } = await owner.keys.createKey({ scope: 'metrics' });
    const keyClient = account.client.withOptions({ apiKey: api_key! });
    await keyClient.stats.ingestMetrics({
      projectId: project.project_id,
      payload: { visitors: 1 },
    });
    const { keys } = await owner.keys.listKeys();
    expect(keys.map(({ key_id }) => key_id)).toContain(key.key_id);
    await expect(owner.keys.revokeKey({ key_id: 'np_unknown' })).rejects.toBeInstanceOf(
      NotFoundError,
    );
    await expect(owner.projects.createProject({ name: '' })).rejects.toBeInstanceOf(
      BadRequestError,
    );
    expect((await owner.page.getViews({ days: 2 })).days).toHaveLength(2);
  });
});
