import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, loadConfig } from '#server/settings/config.ts';
import { revokeKey } from '#server/features/keys/manage-keys.ts';
import { eventually } from '../support/eventually.ts';
import { METRICS_URL_PATTERN, readMetrics } from '../support/prometheus.ts';
import { findFreePort, startPostgres } from '../support/postgres-server.ts';
import {
  type RegisterCleanUp,
  readFirstKey,
  spawnServer,
  startServer,
  type ServerProcess,
  createTempFolder,
  waitUntilUnreachable,
} from '../support/server-process.ts';
import { useShared } from '../support/use-shared.ts';
import { insertTestAccount } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openEmbeddedTestDatabase,
} from '../support/test-database.ts';

const READ = '/account/get-display-name';
const TOGGLE = '/site/toggle-site-visibility';

/** A server with two workers and a database with one account. */
async function startTwoWorkers(
  onFinished: RegisterCleanUp = onTestFinished,
  settings: Record<string, string> = {},
) {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const database = connectPostgresDatabase(DATABASE_URL);
  onFinished(() => database.close());
  const { key } = await insertTestAccount(database.db);
  const server = await startServer({ DATABASE_URL, WORKERS: '2', ...settings }, onFinished);
  return { server, db: database.db, key };
}

/** Log lines of all processes. */
function readLog(server: ServerProcess): Record<string, unknown>[] {
  const completeLines = server.stdout().split('\n').slice(0, -1);
  return completeLines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Process ids of all workers that have started to listen, in order. */
function listWorkerPids(server: ServerProcess): number[] {
  return readLog(server)
    .filter(({ msg }) => msg === 'listening')
    .map(({ pid }) => Number(pid));
}

/** Environment that preloads a module in all processes of a server. */
function preloadSettings(script: string): Record<string, string> {
  const code = `import cluster from 'node:cluster';\n${script}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** Opens a keep-alive connection, which stays with one worker. */
function openConnection(url: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (
    path: string,
    {
      method = 'GET',
      idempotencyKey = '',
      json,
    }: { method?: string; idempotencyKey?: string; json?: object } = {},
  ) => {
    const headers = {
      'x-api-key': key,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(json && { 'content-type': 'application/json' }),
    };
    const clientRequest = request(new URL(path, url), { agent, method, headers });
    clientRequest.end(json && JSON.stringify(json));
    const [response] = (await once(clientRequest, 'response')) as [
      import('node:http').IncomingMessage,
    ];
    const body = await text(response);
    return { status: response.statusCode, body, id: response.headers['x-request-id'] };
  };
}

/** Opens ten connections, and groups them by worker. */
async function connectToBoth(server: ServerProcess & { url: string }, key: string) {
  const connections = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const send = openConnection(server.url, key);
      const { id } = await send(READ);
      return { send, id };
    }),
  );
  const connectionsWithPid = await eventually(() => {
    const pidByRequest = new Map(
      readLog(server).map(({ requestId, pid }) => [requestId, Number(pid)]),
    );
    const connected = connections.map(({ send, id }) => ({ send, pid: pidByRequest.get(id) ?? 0 }));
    expect(connected.every(({ pid }) => pid > 0)).toBe(true);
    return connected;
  });
  const [workerA, workerB] = listWorkerPids(server);
  return {
    workerA: {
      pid: workerA!,
      sends: connectionsWithPid.filter(({ pid }) => pid === workerA).map(({ send }) => send),
    },
    workerB: {
      pid: workerB!,
      sends: connectionsWithPid.filter(({ pid }) => pid === workerB).map(({ send }) => send),
    },
  };
}

describe('two workers', () => {
  const sharedServer = useShared((onFinished) =>
    startTwoWorkers(onFinished, {
      // Fewer than the number of workers.
      DATABASE_POOL_SIZE: '1',
      EMAIL_FORWARDING_PROVIDER: 'improvmx',
      IMPROVMX_API_KEY: 'sk_test',
      // Nothing listens on this port.
      FORWARDING_API_URL: 'http://127.0.0.1:1',
    }),
  );

  it('share one port; messages are printed once, and log lines name the worker', async () => {
    const { server, key } = sharedServer();
    const { workerA, workerB } = await connectToBoth(server, key);
    expect(workerA.pid).not.toBe(workerB.pid);
    expect([workerA.pid, workerB.pid]).not.toContain(server.pid);
    for (const { sends } of [workerA, workerB]) expect(sends).not.toEqual([]);
    for (const message of ['listens on', 'Ready.', 'API reference'])
      expect(server.stderr().split(message)).toHaveLength(2);
    const statuses = await Promise.all(
      [...workerA.sends, ...workerB.sends].map((send) => send('/readyz')),
    );
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('both add jobs', async () => {
    const { server, key } = sharedServer();
    const { workerA, workerB } = await connectToBoth(server, key);
    const sendPost = (send: (typeof workerA.sends)[number], path: string, json: object) =>
      send(path, { method: 'POST', json });
    const nameBody = { display_name: 'of-two-workers' };
    const responses = [await sendPost(workerA.sends[0]!, '/account/update-display-name', nameBody)];
    for (const { pid, sends } of [workerA, workerB])
      responses.push(
        await sendPost(sends[0]!, '/email-forwarding/email-forwarding-toggle', {
          enabled: true,
          email: `${pid}@example.com`,
        }),
      );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('share stored responses and learn at once of a revoked key', async () => {
    const { server, db, key } = sharedServer();
    const { workerA, workerB } = await connectToBoth(server, key);
    const idempotencyKey = randomUUID();
    const responses = await Promise.all(
      [...workerA.sends, ...workerB.sends].map((send) =>
        send(TOGGLE, { method: 'POST', idempotencyKey }),
      ),
    );
    const succeeded = responses.filter(({ status }) => status === 200);
    expect(succeeded.length).toBeGreaterThan(0);
    const repeatedResponses = await Promise.all(
      [workerA, workerB].map(({ sends }) => sends[0]!(TOGGLE, { method: 'POST', idempotencyKey })),
    );
    expect(new Set([...succeeded, ...repeatedResponses].map(({ body }) => body))).toEqual(
      new Set(['{"success":true,"newStatus":true}']),
    );
    await revokeKey(db, { keyId: key.split('.')[0]!, by: 'test' }, 0);
    for (const { sends } of [workerA, workerB]) expect((await sends[0]!(READ)).status).toBe(401);
  });

  it('exit with their parent process', async () => {
    const { server } = sharedServer();
    server.signal('SIGKILL');
    // The output streams close when the last worker has exited.
    expect(await server.exited).toBe(null);
  });
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s finishes the in-flight requests of every worker and exits with 0',
  async (signal) => {
    const { server, db, key } = await startTwoWorkers();
    const { workerA, workerB } = await connectToBoth(server, key);
    await sql`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END'`.execute(db);
    await sql`CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON sites FOR EACH ROW
      EXECUTE FUNCTION slow()`.execute(db);
    const slowResponses = [workerA, workerB].map(({ sends }) =>
      sends[0]!(TOGGLE, { method: 'POST' }),
    );
    await eventually(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event IN ('PgSleep', 'transactionid', 'tuple')`.execute(
        db,
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    // A terminal or a service manager signals every process.
    for (const { pid } of [workerA, workerB]) process.kill(pid, signal);
    server.signal(signal);
    await waitUntilUnreachable(server.url);
    for (const { status } of await Promise.all(slowResponses)) expect(status).toBe(200);
    expect(await server.exited).toBe(0);
    const exitLogs = readLog(server).filter(({ msg }) => msg === 'stopped');
    expect(exitLogs.map(({ pid }) => pid)).toEqual(
      expect.arrayContaining([workerA.pid, workerB.pid, undefined]),
    );
    expect(server.stdout()).not.toContain('"level":"error"');
  },
);

it('a killed worker is replaced, and only its own requests fail', async () => {
  const { server, key } = await startTwoWorkers();
  const { workerA, workerB } = await connectToBoth(server, key);
  let isRunning = true;
  const failures: unknown[] = [];
  let successes = 0;
  const load = workerB.sends.map(async (send) => {
    while (isRunning) {
      const { status } = await send(READ).catch((error: unknown) => ({ status: error }));
      if (status === 200) successes += 1;
      else failures.push(status);
      await sleep(20);
    }
  });
  process.kill(workerA.pid, 'SIGKILL');
  const replacementPid = await eventually(() => {
    expect(listWorkerPids(server)).toHaveLength(3);
    return listWorkerPids(server)[2]!;
  });
  const before = successes;
  await eventually(() => expect(successes).toBeGreaterThan(before));
  // The replacement gets its share of new connections.
  await eventually(async () => {
    await openConnection(server.url, key)(READ);
    expect(readLog(server)).toContainEqual(
      expect.objectContaining({ pid: replacementPid, path: READ, status: 200 }),
    );
  });
  isRunning = false;
  await Promise.all(load);
  expect(failures).toEqual([]);
  expect(readLog(server)).toContainEqual(
    expect.objectContaining({ pid: workerA.pid, signal: 'SIGKILL', level: 'error' }),
  );
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('workers that restart during a database outage wait for the database', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  await postgres.createDatabase('away');
  const server = await startServer({
    DATABASE_URL: postgres.url('away'),
    // A port chosen by the system would be lost while no worker is alive.
    PORT: String(await findFreePort()),
    WORKERS: '2',
    // Nothing listens on this port.
    SMTP_URL: 'smtp://127.0.0.1:1?ignoreTLS=true',
    PUBLIC_URL: 'https://nameplate.example.org',
  });
  const readReadiness = async () => (await openConnection(server.url, '')('/readyz')).status;
  await postgres.shutDown();
  for (const pid of listWorkerPids(server)) process.kill(pid, 'SIGKILL');
  await eventually(() => {
    const waitingLogs = readLog(server).filter(
      ({ msg }) => msg === 'the database cannot be used yet',
    );
    // Each worker retries at least once.
    expect(new Set(waitingLogs.map(({ pid }) => pid)).size).toBe(2);
    expect(waitingLogs.length).toBeGreaterThan(4);
  });
  await eventually(async () => expect(await readReadiness()).toBe(503));
  await postgres.ensureRunning();
  await eventually(() => expect(listWorkerPids(server)).toHaveLength(4));
  await eventually(async () => expect(await readReadiness()).toBe(200));
  expect(server.stdout()).not.toContain('"level":"fatal"');
});

it('only workers run jobs', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const database = connectPostgresDatabase(DATABASE_URL);
  const names = Array.from({ length: 40 }, (_, index) => ({ name: `job-${index}` }));
  await database.db.insertInto('provider_aliases').values(names).execute();
  await database.close();
  const server = await startServer({
    DATABASE_URL,
    WORKERS: '2',
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'sk_test',
    // Nothing listens on this port.
    FORWARDING_API_URL: 'http://127.0.0.1:1',
  });
  const attempts = await eventually(() => {
    const waitingLogs = readLog(server).filter(
      ({ msg }) => msg === 'forwarding waits for the provider',
    );
    expect(new Set(waitingLogs.map(({ name }) => name)).size).toBe(40);
    return waitingLogs;
  });
  // A worker may run jobs before it listens.
  await eventually(() =>
    expect(listWorkerPids(server)).toEqual(expect.arrayContaining(attempts.map(({ pid }) => pid))),
  );
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('the metrics of all workers are summed on one port, including those of a worker that exited', async () => {
  const { server, key } = await startTwoWorkers(onTestFinished, {
    PROMETHEUS_PORT: '0',
    DATABASE_POOL_SIZE: '6',
  });
  const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
  const { workerA, workerB } = await connectToBoth(server, key);
  const requestsTotal = `nameplate_http_requests_total{method="GET",route="${READ}",status="200"}`;
  const durationCount = `nameplate_http_request_duration_seconds_count{method="GET",route="${READ}"}`;
  const requestCount = workerA.sends.length + workerB.sends.length;
  const waitForCount = async (expectedCount: number) =>
    eventually(
      () => readMetrics(metrics),
      (values) => values.get(requestsTotal) === expectedCount,
    );
  const first = await waitForCount(requestCount);
  expect(Object.fromEntries(first)).toMatchObject({
    [durationCount]: requestCount,
    nameplate_ready: 1,
    nameplate_database_up: 1,
    nameplate_http_bytes_under_way: 0,
    // The sum of both workers. The parent has no pool.
    'nameplate_database_connections_max{pool="writes"}': 6,
    'nameplate_http_refusals_total{reason="overloaded"}': 0,
    'nameplate_overloads_total{gate="writes"}': 0,
  });
  expect([...first.keys()].filter((name) => name.startsWith('nameplate_build_info'))).toHaveLength(
    1,
  );
  const startTime = first.get('process_start_time_seconds')!;
  expect(Math.abs(Date.now() / 1_000 - startTime)).toBeLessThan(3_600);

  // A worker that does not respond keeps its last counts and causes no long delay.
  process.kill(workerA.pid, 'SIGSTOP');
  await workerB.sends[0]!(READ);
  expect((await waitForCount(requestCount + 1)).get('nameplate_database_up')).toBe(1);
  process.kill(workerA.pid, 'SIGKILL');
  const replacementPid = await eventually(() => {
    expect(listWorkerPids(server)).toHaveLength(3);
    return listWorkerPids(server)[2]!;
  });
  await workerB.sends[0]!(READ);
  const laterMetrics = await waitForCount(requestCount + 2);
  expect(laterMetrics.get('process_start_time_seconds')).toBe(startTime);
  expect(laterMetrics.get(durationCount)).toBe(requestCount + 2);
  // The replacement's counts are added.
  await eventually(async () => {
    const { id } = await openConnection(server.url, key)(READ);
    await eventually(() =>
      expect(readLog(server).some(({ requestId }) => requestId === id)).toBe(true),
    );
    expect(readLog(server).find(({ requestId }) => requestId === id)).toMatchObject({
      pid: replacementPid,
    });
  });
  await eventually(
    () => readMetrics(metrics),
    (values) => values.get('nameplate_database_connections_max{pool="writes"}') === 6,
  );
  await waitForCount(
    readLog(server).filter(({ path, status }) => path === READ && status === 200).length,
  );
});

it('neither metrics nor shutdown wait for exited or starting workers', async () => {
  const preloadScript = `
    import { syncBuiltinESMExports } from 'node:module';
    import timers from 'node:timers/promises';
    if (cluster.worker?.id > 2) process.exit(7);
    process.on('message', (message) => message === 'measure' && process.exit(7));
    const { setTimeout: sleep } = timers;
    timers.setTimeout = (ms, ...more) => sleep(ms * 1_000, ...more);
    syncBuiltinESMExports();`;
  const { server } = await startTwoWorkers(onTestFinished, {
    PROMETHEUS_PORT: '0',
    ...preloadSettings(preloadScript),
  });
  const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
  expect((await readMetrics(metrics)).get('nameplate_ready')).toBe(1);
  await eventually(() => expect(readLog(server).filter(({ code }) => code === 7)).toHaveLength(4));
  expect((await readMetrics(metrics)).get('nameplate_ready')).toBe(1);
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('a first start with workers creates one database and one account', async () => {
  const DATA_DIR = `${await createTempFolder()}/data`;
  const server = await startServer({ DATA_DIR, WORKERS: '2' });
  expect(server.stderr().split('This is the first start')).toHaveLength(2);
  const { key } = await readFirstKey(DATA_DIR);
  const { workerA, workerB } = await connectToBoth(server, key);
  for (const { sends } of [workerA, workerB]) expect((await sends[0]!(READ)).status).toBe(200);
  const database = await openEmbeddedTestDatabase(DATA_DIR);
  expect(await database.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
  await database.close();
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('a server with workers responds while the database is unreachable', async () => {
  const url = new URL(await createPostgresDatabase());
  url.port = '1';
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const server = spawnServer({ DATABASE_URL: url.href, PORT: String(port), WORKERS: '2' });
  await server.waitFor(/Retrying/);
  expect(server.stderr()).not.toContain('listens on');
  expect((await openConnection(base, '')('/healthz')).status).toBe(200);
  expect((await openConnection(base, '')('/readyz')).status).toBe(503);
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('a server exits with 1 and a message after a worker fails to start five times, with growing delays', async () => {
  // Makes the first worker appear to run for a minute, and logs restart delays instead of waiting.
  const preloadScript = `
    import { syncBuiltinESMExports } from 'node:module';
    import timers from 'node:timers/promises';
    if (cluster.worker?.id > 1) process.exit(7);
    const now = performance.now.bind(performance);
    let later = 0;
    performance.now = () => now() + later;
    cluster.once('exit', () => { later = 60_000; });
    const { setTimeout: sleep } = timers;
    timers.setTimeout = async (ms, value, options) => {
      if (!options?.signal) return sleep(ms, value, options);
      console.error('pause', ms);
    };
    syncBuiltinESMExports();`;
  const server = spawnServer({
    DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    WORKERS: '2',
    ...preloadSettings(preloadScript),
  });
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toContain('A worker failed 5 times in a row');
  expect(server.stderr().match(/(?<=^pause )\d+$/gm)).toEqual(['500', '1000', '2000']);
  const exitLogs = readLog(server).filter(({ code }) => code === 7);
  expect(exitLogs.map(({ level }) => level)).toEqual([...Array<string>(5).fill('error'), 'fatal']);
  expect(readLog(server).at(-1)).toMatchObject({ msg: 'stopped' });
});

it('a server exits with 0 on a signal while a worker is about to be replaced', async () => {
  const preloadScript = `
    if (cluster.worker?.id > 1) process.exit(7);
    let exitCount = 0;
    cluster.on('exit', () => {
      // The second exit is the first one with a delay.
      if (++exitCount === 2) setImmediate(() => process.emit('SIGTERM', 'SIGTERM'));
    });`;
  const server = spawnServer({
    DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    WORKERS: '2',
    ...preloadSettings(preloadScript),
  });
  expect(await server.exited).toBe(0);
  expect(readLog(server).filter(({ code }) => code === 7)).toHaveLength(2);
});

it('a server is ready when every worker is ready, and stops without waiting for one that is starting', async () => {
  const preloadScript = `if (cluster.worker?.id === 2) {
    console.error('held up');
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  }`;
  const server = spawnServer({
    DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    WORKERS: '2',
    ...preloadSettings(preloadScript),
  });
  await server.waitFor(/held up/);
  const [, url = ''] = await server.waitFor(/listens on (http:\/\/\S+)/);
  await eventually(async () => expect((await openConnection(url, '')('/readyz')).status).toBe(200));
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
  expect(server.stdout()).not.toContain('stopping took too long');
  expect(server.stderr()).not.toContain('Ready.');
});

it('a server exits with 1 if workers do not exit cleanly, and logs each of them', async () => {
  const preloadScript = `process.on('message', (message) => {
    if (cluster.worker.id === 1 && message === 'drain') process.kill(process.pid, 'SIGKILL');
    if (cluster.worker.id === 2 && message === 'close') process.exit(7);
  });`;
  const { server } = await startTwoWorkers(onTestFinished, {
    SHUTDOWN_DELAY_SECONDS: '3600',
    ...preloadSettings(preloadScript),
  });
  const exitLog = (description: { code: number } | { signal: string }) =>
    expect.objectContaining({
      level: 'error',
      msg: 'a worker did not stop cleanly',
      ...description,
    });
  server.signal('SIGTERM');
  await eventually(() => expect(readLog(server)).toContainEqual(exitLog({ signal: 'SIGKILL' })));
  server.signal('SIGINT');
  expect(await server.exited).toBe(1);
  expect(readLog(server)).toContainEqual(exitLog({ code: 7 }));
  expect(readLog(server).at(-1)).toMatchObject({ level: 'error', msg: 'stopping failed' });
  expect(server.stdout()).not.toContain('is replaced');
});

it('a worker that cannot listen is replaced', async () => {
  const preloadScript = `
    import { Server } from 'node:net';
    if (cluster.worker?.id === 3)
      Server.prototype.listen = function () {
        process.nextTick(() => this.emit('error', new Error('not today')));
        return this;
      };`;
  const { server } = await startTwoWorkers(onTestFinished, preloadSettings(preloadScript));
  await eventually(() => expect(listWorkerPids(server)).toHaveLength(2));
  process.kill(listWorkerPids(server)[0]!, 'SIGKILL');
  await eventually(() => {
    expect(listWorkerPids(server)).toHaveLength(3);
    expect(readLog(server)).toContainEqual(
      expect.objectContaining({ problem: 'not today', msg: 'a worker cannot listen' }),
    );
  });
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('the port in use is reported once, and all workers exit cleanly', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1');
  await once(otherServer, 'listening');
  onTestFinished(() => void otherServer.close());
  const { port } = otherServer.address() as AddressInfo;
  // Delays exits with code 0, so that a worker with another exit code exits first.
  const preloadScript = `const { exit } = process;
    if (cluster.worker) process.exit = (code) => void (code ? exit(code) : setTimeout(exit, 500, 0));`;
  const server = spawnServer({
    DATABASE_URL: await createPostgresDatabase('nameplate_template'),
    WORKERS: '2',
    PORT: String(port),
    ...preloadSettings(preloadScript),
  });
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another PORT.\n`,
  );
  expect(server.stdout()).toContain('a worker cannot listen');
  expect(server.stdout()).not.toContain('stopping failed');
});

it('WORKERS accepts a number or auto', () => {
  expect(loadConfig({}).WORKERS).toBe(1);
  expect(loadConfig({ WORKERS: 'auto' }).WORKERS).toBeGreaterThan(0);
  for (const WORKERS of ['0', '1.5', 'all', '257'])
    expect(() => loadConfig({ WORKERS })).toThrow(
      new ConfigError('Bad settings: WORKERS must be a whole number from 1 to 256, or auto.'),
    );
});
