import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registerServiceMetrics } from '#server/process/monitoring/database-metrics.ts';
import { registerProcessMetrics } from '#server/process/monitoring/monitoring.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { startDatabaseProxy } from '../faults/support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { METRICS_URL_PATTERN, readMetrics } from '../support/prometheus.ts';
import {
  type RegisterCleanUp,
  fetchJson,
  spawnServer,
  startServer,
  startServerWithAccount,
} from '../support/server-process.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openTestDatabase,
} from '../support/test-database.ts';
import { useShared } from '../support/use-shared.ts';

async function startWithMetrics(settings: Record<string, string>, onFinished?: RegisterCleanUp) {
  const started = await startServerWithAccount({ PROMETHEUS_PORT: '0', ...settings }, onFinished);
  const [, metrics = ''] = await started.server.waitFor(METRICS_URL_PATTERN);
  return { ...started, metrics };
}

describe('the metrics of a server', () => {
  const sharedServer = useShared((onFinished) =>
    startWithMetrics({ DATABASE_POOL_SIZE: '7' }, onFinished),
  );

  it('the metrics of a server describe the server and its database', async () => {
    const { metrics } = sharedServer();
    expect(Object.fromEntries(await readMetrics(metrics))).toMatchObject({
      [`nameplate_build_info{version="${packageJson.version}"}`]: 1,
      nameplate_ready: 1,
      nameplate_database_up: 1,
      'nameplate_database_connections_max{pool="writes"}': 7,
      'nameplate_database_waiting{pool="writes"}': 0,
      'nameplate_database_connections_max{pool="reads"}': 6,
      'nameplate_database_waiting{pool="reads"}': 0,
      nameplate_http_bytes_in_flight: 0,
      nameplate_forwarding_names_waiting: 0,
      nameplate_backup_timestamp_seconds: 0,
      nodejs_eventloop_lag_p99_seconds: expect.any(Number),
      process_resident_memory_bytes: expect.any(Number),
    });
  });

  it('the metrics of a server are readable only at the hosts of the server', async () => {
    const { hostname, port } = new URL(sharedServer().metrics);
    for (const [host, status] of [
      ['attacker.example', 421],
      ['localhost:9464', 200],
      [`127.0.0.1:${port}`, 200],
    ] as const) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([host, (await readText(socket)).slice(9, 12)]).toEqual([host, String(status)]);
    }
  });

  it('the metrics of a server count requests by endpoint and status, and refusals by reason', async () => {
    const { server, metrics, key } = sharedServer();
    const request = (path: string, init?: Parameters<typeof fetchJson>[1]) =>
      fetchJson(`${server.url}${path}`, init);
    await request('/site/get-site-status', { key });
    await request('/site/get-site-status', { key });
    await request('/site/get-site-status');
    await request('/site/update-site-configuration', { key, method: 'POST', json: { bio: 1 } });
    const metricValues = await eventually(
      () => readMetrics(metrics),
      (values) => values.has('nameplate_http_refusals_total{reason="validationFailed"}'),
    );
    const status = 'method="GET",route="/site/get-site-status"';
    const updateLabels = 'method="POST",route="/site/update-site-configuration"';
    expect(Object.fromEntries(metricValues)).toMatchObject({
      [`nameplate_http_requests_total{${status},status="200"}`]: 2,
      [`nameplate_http_requests_total{${status},status="401"}`]: 1,
      [`nameplate_http_requests_total{${updateLabels},status="400"}`]: 1,
      [`nameplate_http_request_duration_seconds_count{${status}}`]: 3,
      [`nameplate_http_request_duration_seconds_bucket{le="+Inf",${status}}`]: 3,
      'nameplate_http_refusals_total{reason="keyMissing"}': 1,
      'nameplate_http_refusals_total{reason="overloaded"}': 0,
      'nameplate_overloads_total{gate="writes"}': 0,
    });
    const seconds = metricValues.get(`nameplate_http_request_duration_seconds_sum{${status}}`);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
  });

  it('the metrics of a server have no labels with values from requests', async () => {
    const { server, metrics, key } = sharedServer();
    for (const path of ['/nowhere/secret', '/@secret', '/confirm/secret', '/healthz?secret=secret'])
      await fetch(`${server.url}${path}`, {
        headers: { 'x-api-key': key, 'x-request-id': 'secret' },
      });
    await fetch(`${server.url}/healthz`, { method: 'PROPFIND' });
    const metricValues = await eventually(
      () => readMetrics(metrics),
      (values) =>
        values.has('nameplate_http_requests_total{method="other",route="/healthz",status="405"}'),
    );
    const series = [...metricValues.keys()].join('\n');
    expect(series).not.toContain('secret');
    expect(series).not.toContain(key.split('.')[0]);
    expect(
      metricValues.get('nameplate_http_requests_total{method="GET",route="",status="404"}'),
    ).toBe(1);
    expect(series).toContain('route="/@:name"');
  });

  it('the metrics of a server are not served on the public port', async () => {
    const { server, metrics } = sharedServer();
    expect(new URL(metrics).port).not.toBe(new URL(server.url).port);
    expect((await fetchJson(`${server.url}/metrics`)).status).toBe(404);
    const { origin } = new URL(metrics);
    for (const path of ['/', '/site/get-site-status', '/metrics/x', '/healthz'])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
    expect((await fetch(metrics, { method: 'POST' })).status).toBe(405);
  });

  it('the metrics of a server have the same version as the startup log and /healthz', async () => {
    const { server } = sharedServer();
    const { version } = packageJson;
    const health = await fetchJson(`${server.url}/healthz`);
    expect(health).toEqual({ status: 200, body: { status: 'ok', version } });
    const [line = ''] = server.stdout().split('\n');
    expect(JSON.parse(line)).toMatchObject({ version, node: process.version, msg: 'starting' });
  });

  it('the metrics of a server stop with the server, even while they are being read', async () => {
    const { server, metrics } = sharedServer();
    const { hostname, port } = new URL(metrics);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    // Send half a request. The response to another request proves that the server has read it.
    socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\nhost: ');
    await readMetrics(metrics);
    await server.stop();
  });
});

it('concurrent reads of the metrics share one database query', async () => {
  const { db, readDb, close } = await openTestDatabase();
  onTestFinished(close);
  const register = new Registry();
  registerServiceMetrics(register, {
    database: { readDb, pools: () => ({}) },
    lifecycle: { isReady: true },
    log: pino({ level: 'silent' }),
  });
  const readMetric = () => register.getSingleMetricAsString('nameplate_forwarding_names_waiting');
  const neitherResponse = await Promise.all([readMetric(), readMetric()]);
  expect(neitherResponse).toEqual(Array(2).fill(expect.stringMatching(/ 0$/)));
  await sql`INSERT INTO provider_aliases (name) VALUES ('jane')`.execute(db);
  expect(await readMetric()).toBe(neitherResponse[0]);
});

it('a server whose database is read-only or was migrated further is not ready, as /readyz says', async () => {
  const url = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(url);
  onTestFinished(close);
  const readGauges = async () => {
    const { readDb, close: closeReader } = connectPostgresDatabase(url);
    const register = new Registry();
    registerServiceMetrics(register, {
      database: { readDb, pools: () => ({}) },
      lifecycle: { isReady: true },
      log: pino({ level: 'silent' }),
    });
    const text = await register.metrics();
    await closeReader();
    return text.match(/^nameplate_(?:ready|database_up) .*$/gm);
  };
  expect(await readGauges()).toEqual(['nameplate_database_up 1', 'nameplate_ready 1']);
  const setting = sql`ALTER DATABASE ${sql.id(new URL(url).pathname.slice(1))}`;
  await sql`${setting} SET default_transaction_read_only = on`.execute(db);
  expect(await readGauges()).toEqual(['nameplate_database_up 1', 'nameplate_ready 0']);
  await sql`${setting} RESET default_transaction_read_only`.execute(db);
  await sql`INSERT INTO kysely_migration VALUES ('9999-later-needs-9998', now())`.execute(db);
  expect(await readGauges()).toEqual(['nameplate_database_up 1', 'nameplate_ready 0']);
});

it('the metrics for Prometheus include connection waits, pending forwarding names, jobs, and the last backup and maintenance', async () => {
  const { server, metrics, key, db } = await startWithMetrics({
    DATABASE_POOL_SIZE: '1',
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'sk_test',
    // Nothing listens on this port.
    FORWARDING_API_URL: 'http://127.0.0.1:1',
  });
  await sql`INSERT INTO provider_aliases (name) VALUES ('jane'), ('joe')`.execute(db);
  await sql`INSERT INTO last_backup (finished_at) VALUES ('2026-01-31T03:00:00.5Z')`.execute(db);
  await sql`INSERT INTO last_maintenance VALUES (true, '2026-01-31T04:00:00Z', 2.5, 1)`.execute(db);
  const metricValues = Object.fromEntries(await readMetrics(metrics));
  expect(metricValues).toMatchObject({
    nameplate_forwarding_names_waiting: 2,
    nameplate_reports_open: 0,
    nameplate_backup_timestamp_seconds: Date.parse('2026-01-31T03:00:00.5Z') / 1_000,
    nameplate_maintenance_last_run_timestamp_seconds: Date.parse('2026-01-31T04:00:00Z') / 1_000,
    nameplate_maintenance_last_run_duration_seconds: 2.5,
    nameplate_maintenance_last_run_failed_tasks: 1,
    'nameplate_jobs{queue="forwarding",state="ready"}': 0,
    'nameplate_jobs{queue="forwarding",state="failed"}': 0,
  });

  let isDone = false;
  const changes = await db.transaction().execute(async (trx) => {
    // This lock blocks writes but not reads.
    await sql`LOCK TABLE sites IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
    const url = `${server.url}/site/update-site-configuration`;
    // A write gives up after two seconds, so repeat it.
    const writes = ['a', 'b', 'c'].map(async (letter) => {
      const blocks = Array(3).fill({ type: 'text', content: letter.repeat(10_000) });
      while (!isDone) await fetchJson(url, { key, method: 'POST', json: { blocks } });
    });
    // Retry, because a write is briefly not counted between two attempts.
    await eventually(async () => {
      const values = await readMetrics(metrics);
      expect(values.get('nameplate_database_waiting{pool="writes"}')).toBe(2);
      expect(values.get('nameplate_database_connections_in_use{pool="writes"}')).toBe(1);
      expect(values.get('nameplate_http_bytes_in_flight')).toBeGreaterThan(3 * 10_000);
    }).finally(() => (isDone = true));
    return { writes };
  });
  await Promise.all(changes.writes);
});

it('the metrics for Prometheus exclude database metrics while the server waits for its database, and do not keep it from stopping', async () => {
  // Nothing listens on this port.
  const server = spawnServer({
    DATABASE_URL: 'postgres://jane@127.0.0.1:1/nowhere',
    PROMETHEUS_PORT: '0',
  });
  const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
  const metricValues = Object.fromEntries(await readMetrics(metrics));
  expect(metricValues).toMatchObject({ nameplate_ready: 0, nameplate_database_up: 0 });
  expect(metricValues).not.toHaveProperty('nameplate_forwarding_names_waiting');
  await server.stop();
});

it('the metrics for Prometheus are available while the database does not respond', async () => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
  onTestFinished(() => proxy.close());
  const server = await startServer({ DATABASE_URL: proxy.url, PROMETHEUS_PORT: '0' });
  const [, metrics = ''] = await server.waitFor(METRICS_URL_PATTERN);
  proxy.freezeAt('last_backup');
  expect((await readMetrics(metrics)).get('nameplate_database_up')).toBe(0);
  await proxy.close();
  server.signal('SIGTERM');
  await server.exited;
  // The requests did not wait for the connection timeout.
  expect(server.stdout()).not.toContain('could not be queried for metrics');
});

it('only counters have names that end with _total, as promtool requires', async () => {
  const register = new Registry();
  registerProcessMetrics(register);
  const text = await register.metrics();
  const types = [...text.matchAll(/^# TYPE (\S+_total) (\w+)$/gm)];
  expect(types.length).toBeGreaterThan(0);
  expect(types.filter(([, , type]) => type !== 'counter')).toEqual([]);
});
