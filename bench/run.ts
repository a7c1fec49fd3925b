import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { connectPostgres } from '../db/postgres.ts';
import { postgresServer, privateFolder } from './place.ts';
import { seed } from './seed.ts';

const HELP = `Usage: npm run bench -- [--private] [--seconds N] [--rounds N] [--sites N]

Loads the service and a floor server (node:http and pg, one prepared statement a request, nothing
else) in turn, on one real PostgreSQL server, with 32 connections, and prints how they compare.

  --private    on the private database of an empty data folder, as a first start without settings
               makes it, instead of a PostgreSQL server; also prints start times and memory
  --seconds N  length of one measurement (default 4)
  --rounds N   measurements of each server, taken alternately (default 3)
  --sites N    sites that are there beside the one (default 1000); their pages are visited at random
`;

const CONNECTIONS = 32;
const { values } = parseArgs({
  options: {
    private: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    sites: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const sites = Number(values.sites);

interface Load {
  endpoint: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  status?: number;
  /** What differs from request to request. */
  vary?: () => { path?: string; headers?: Record<string, string> };
}

interface Measured {
  rate: number;
  p50: number;
  p99: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

const children: ChildProcess[] = [];
const place = values.private ? await privateFolder() : await postgresServer();
try {
  const service = await startService(place.settings);
  if (values.private) {
    process.stdout.write(`first start until ready: ${service.milliseconds} ms\n`);
    process.stdout.write(`memory of server and database: ${await place.memory(service.child)}\n`);
  }
  const url = await place.url();
  const db = connectPostgres({
    connectionString: url,
    max: 1,
    maxWaiting: 9,
    onError: () => {},
  });
  const { accountId, apiKey, projectId } = await seed(db, sites);
  await db.destroy();
  const floor = await start(['bench/floor.ts', url, accountId], /^(http:\S+)/, {});

  const metric = JSON.stringify({
    projectId,
    payload: { visitors: 42, page: '/', tags: ['a', 'b'] },
  });
  const asOwner = { 'x-api-key': apiKey };
  const write = { ...asOwner, 'content-type': 'application/json' };
  const asBrowser = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const loads: Load[] = [
    ...['/account/get-display-name', '/site/get-site-configuration'].map((path) => ({
      endpoint: path,
      path,
      headers: asOwner,
    })),
    {
      endpoint: '/stats/ingest-metrics',
      path: '/stats/ingest-metrics',
      headers: write,
      body: metric,
    },
    {
      endpoint: '/stats/ingest-metrics, keyed',
      path: '/stats/ingest-metrics',
      headers: write,
      body: metric,
      // What the SDK sends: a key of its own for every request.
      vary: () => ({ headers: { ...write, 'idempotency-key': randomUUID() } }),
    },
    { endpoint: '/@name', path: '/@jane-doe', headers: asBrowser },
    {
      endpoint: '/@name, known already',
      path: '/@jane-doe',
      headers: {
        ...asBrowser,
        'if-none-match': await tagOf(`${service.base}/@jane-doe`, asBrowser),
      },
      status: 304,
    },
    { endpoint: '/@name, not there', path: '/@nobody', headers: asBrowser, status: 404 },
    {
      endpoint: `/@name, ${sites} at random`,
      path: '/@other-0',
      headers: asBrowser,
      vary: () => ({ path: `/@other-${Math.floor(Math.random() * sites)}` }),
    },
  ];
  const rows: Record<string, string | number>[] = [];
  for (const wanted of loads) {
    const { endpoint } = wanted;
    const runs: { service: Measured[]; floor: Measured[] } = { service: [], floor: [] };
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, server] of [
        ['floor', floor],
        ['service', service],
      ] as const) {
        const measured = await load(server, wanted);
        // The first round warms up both.
        if (round > 0) runs[name].push(measured);
        process.stderr.write(`${endpoint} ${name} ${Math.round(measured.rate)}/s\n`);
      }
    const [ours, theirs] = [median(runs.service), median(runs.floor)];
    const ratio = Number((ours.rate / theirs.rate).toFixed(2));
    rows.push(
      { endpoint, server: 'floor', ...(await row(theirs, floor.child)) },
      { endpoint, server: 'service', ...(await row(ours, service.child)), ratio },
    );
  }
  console.table(rows);
} finally {
  for (const child of children) child.kill('SIGTERM');
  const running = children.filter(({ exitCode }) => exitCode === null);
  await Promise.all(running.map((child) => once(child, 'exit')));
  await place.remove();
}

async function startService(settings: Record<string, string>) {
  const began = performance.now();
  const env = { ...settings, PORT: '0' };
  const started = await start(['server/process/main.ts'], /listens on (http:\S+)[^]*Ready/, env);
  return { ...started, milliseconds: Math.round(performance.now() - began) };
}

async function start(args: string[], pattern: RegExp, env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    // The log is written as in production, to where nobody reads it.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let text = '';
  for await (const chunk of child.stderr) {
    text += String(chunk);
    const base = pattern.exec(text)?.[1];
    if (base) {
      child.stderr.resume();
      return { child, base };
    }
  }
  throw new Error(`${args[0]} did not start: ${text}`);
}

/** The tag of what is at a URL. */
async function tagOf(url: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, { headers });
  return answer.headers.get('etag') ?? '';
}

async function load(
  { child, base }: { child: ChildProcess; base: string },
  { endpoint, path, headers, body, status = 200, vary }: Load,
): Promise<Measured> {
  const before = await processorTime(child);
  const result = await autocannon({
    url: base + path,
    connections: CONNECTIONS,
    duration: seconds,
    method: body ? 'POST' : 'GET',
    headers,
    ...(body && { body }),
    ...(vary && {
      requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...vary() }) }],
    }),
  });
  const used = (await processorTime(child)) - before;
  const expected = result.statusCodeStats?.[`${status}`];
  const others = result.requests.total - (expected?.count ?? 0);
  if (others > 0 || result.errors > 0)
    throw new Error(`${endpoint}: ${others} other answers and ${result.errors} errors`);
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: used / result.requests.total,
  };
}

/** Of a process so far, in microseconds; the kernel counts in hundredths of a second. */
async function processorTime({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function median(runs: Measured[]): Measured {
  return runs.toSorted((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]!;
}

async function row({ rate, p50, p99, cpu }: Measured, child: ChildProcess) {
  return {
    'requests/s': Math.round(rate),
    'p50 ms': p50,
    'p99 ms': p99,
    'cpu µs': Math.round(cpu),
    'memory MB': await memory(child),
  };
}

async function memory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return Math.round(kilobytes / 1024);
}
