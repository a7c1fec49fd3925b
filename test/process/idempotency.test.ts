import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { insertTestAccount, startTestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const WRITERS = 8;
const RESPONSES_BEFORE_KILL = 10;

it('a retry does not repeat a write that a server executed before it was killed', async () => {
  const settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
  const killedServer = await startServer(settings);
  const database = connectPostgresDatabase(settings.DATABASE_URL);
  const otherServer = await startTestApp({}, database);
  onTestFinished(otherServer.close);
  const owner = await insertTestAccount(database.db);
  const toggle = (url: string, idempotencyKey: string) =>
    fetchJson(`${url}/site/toggle-site-visibility`, {
      key: owner.key,
      method: 'POST',
      headers: { 'idempotency-key': idempotencyKey },
    });

  const responses = new Map<string, unknown>();
  let responseCount = 0;
  // Each writer continues until a request fails, so writes are in flight when the server is killed.
  const write = async () => {
    for (;;) {
      const key = `toggle-${responses.size}`;
      responses.set(key, undefined);
      const response = await toggle(killedServer.url, key).catch(() => undefined);
      if (!response) return;
      // A write refused because of overload had no effect, so a retry executes it.
      if (response.status === 200) responses.set(key, response);
      responseCount += 1;
      if (responseCount === RESPONSES_BEFORE_KILL) killedServer.signal('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  expect(await killedServer.exited).toBeNull();

  const url = await otherServer.app.listen({ host: '127.0.0.1', port: 0 });
  await Promise.all(
    [...responses].map(async ([key, response]) => {
      const retry = await eventually(
        () => toggle(url, key),
        ({ status }) => status === 200,
      );
      if (response) expect(retry).toEqual(response);
    }),
  );
  expect(await fetchJson(`${url}/site/get-site-status`, { key: owner.key })).toEqual({
    status: 200,
    body: { enabled: responses.size % 2 === 1 },
  });
});
