import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { type Load, UNIQUE } from './loads.ts';
import type { RunningServer } from './processes.ts';

export interface Measurement {
  /** Requests per second. */
  rate: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  /** CPU time of the server per request, in microseconds. */
  cpu: number;
}

/**
 * Number of different requests of a load with `vary`. Each can be sent many times, with a new
 * `UNIQUE`.
 */
const MAX_VARIANTS = 10_000;

const WRK = join(import.meta.dirname, 'wrk.lua');

/** Runs `wrk` against a server. Throws if a response has an unexpected status. */
export async function measure(
  { child, base }: RunningServer,
  load: Load,
  seconds: number,
): Promise<Measurement> {
  const { title, connections, status = 200, vary } = load;
  await expectStatus(base, load);
  const requests = Array.from({ length: vary ? MAX_VARIANTS : 1 }, () => rawRequest(base, load));
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
  try {
    const file = join(folder, 'requests');
    await writeFile(file, requests.join('\0'));
    const before = await processorTime(child);
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', WRK, base];
    const seed = `${Date.now() % 2 ** 31}`;
    const { stdout } = await promisify(execFile)('wrk', [...options, '--', file, UNIQUE, seed]);
    const used = (await processorTime(child)) - before;
    // `done` in wrk.lua prints the last line. Times are in microseconds.
    const [count, duration, p50, p99, refused, errors] = stdout
      .trim()
      .split('\n')
      .at(-1)!
      .split('\t')
      .map(Number) as [number, number, number, number, number, number];
    // wrk reports only the number of statuses above 399, not the number of each status.
    const unexpected = status > 399 ? count - refused : refused;
    if (unexpected > 0 || errors > 0)
      throw new Error(`${title}: ${unexpected} unexpected responses and ${errors} errors`);
    return {
      rate: (count / duration) * 1_000_000,
      p50: Math.round(p50 / 10) / 100,
      p99: Math.round(p99 / 10) / 100,
      cpu: used / count,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Sends `amount` requests without warm-up. */
export async function measureOnce(
  { child, base }: RunningServer,
  load: Load,
  amount: number,
): Promise<Measurement> {
  const pool = new Pool(base, { connections: load.connections });
  const times: number[] = [];
  const before = await processorTime(child);
  const startedAt = performance.now();
  const sendSequentially = async () => {
    while (amount > 0) {
      amount -= 1;
      const requestStartedAt = performance.now();
      await sendRequest(pool, load);
      times.push(performance.now() - requestStartedAt);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, sendSequentially));
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  const percentile = (share: number) =>
    Math.round(times[Math.floor(times.length * share)]! * 100) / 100;
  const used = (await processorTime(child)) - before;
  return {
    rate: times.length / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    cpu: used / times.length,
  };
}

async function expectStatus(base: string, load: Load): Promise<void> {
  const pool = new Pool(base);
  await sendRequest(pool, load);
  await pool.close();
}

/** Sends one request. Throws if the status is unexpected. */
async function sendRequest(pool: Pool, load: Load): Promise<void> {
  const { title, path, headers, body, status = 200, vary } = load;
  const request = { path, headers, body, ...vary?.() };
  const unique = (text: string) => text.replaceAll(UNIQUE, crypto.randomUUID());
  const answer = await pool.request({
    method: request.body === undefined ? 'GET' : 'POST',
    path: request.path,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, unique(value)]),
    ),
    ...(request.body !== undefined && { body: unique(request.body) }),
  });
  await answer.body.dump();
  if (answer.statusCode !== status) throw new Error(`${title}: answered ${answer.statusCode}`);
}

/** Formats a request as raw HTTP for wrk. */
function rawRequest(base: string, { path, headers, body, vary }: Load): string {
  const request = { path, headers, body, ...vary?.() };
  const all = {
    host: new URL(base).host,
    ...request.headers,
    ...(request.body !== undefined && { 'content-length': `${Buffer.byteLength(request.body)}` }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = request.body === undefined ? 'GET' : 'POST';
  return `${method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${request.body ?? ''}`;
}

/** Returns the CPU time of a process in microseconds. The kernel counts in units of 10 ms. */
async function processorTime({ pid }: Pick<ChildProcess, 'pid'>): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the measurement with the median rate. */
export function median<Run extends { rate: number }>(runs: readonly Run[]): Run {
  return runs.toSorted((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]!;
}

/** Returns the resident memory of a process in MiB. */
export async function memory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return Math.round(kilobytes / 1024);
}
