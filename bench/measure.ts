import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { type Load, UNIQUE } from './loads.ts';
import type { Running } from './processes.ts';

export interface Measured {
  /** Requests per second. */
  rate: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

/** Requests that `vary` makes for a measurement; each is sent many times, with a new `UNIQUE`. */
const VARIANTS = 10_000;

const WRK = join(import.meta.dirname, 'wrk.lua');

/** Loads a server for so many seconds with `wrk`; an answer that is not the expected one is an error. */
export async function measure(
  { child, base }: Running,
  load: Load,
  seconds: number,
): Promise<Measured> {
  const { title, connections, status = 200, vary } = load;
  await expectStatus(base, load);
  const requests = Array.from({ length: vary ? VARIANTS : 1 }, () => rawRequest(base, load));
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
  try {
    const file = join(folder, 'requests');
    await writeFile(file, requests.join('\0'));
    const before = await processorTime(child);
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', WRK, base];
    const seed = `${Date.now() % 2 ** 31}`;
    const { stdout } = await promisify(execFile)('wrk', [...options, '--', file, UNIQUE, seed]);
    const used = (await processorTime(child)) - before;
    // The last line is what `done` in the script prints, with times in microseconds.
    const [count, duration, p50, p99, refused, errors] = stdout
      .trim()
      .split('\n')
      .at(-1)!
      .split('\t')
      .map(Number) as [number, number, number, number, number, number];
    // wrk counts answers above 399, not single statuses.
    const others = status > 399 ? count - refused : refused;
    if (others > 0 || errors > 0)
      throw new Error(`${title}: ${others} other answers and ${errors} errors`);
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

/** Sends so many requests once, some at a time. */
export async function measureOnce(
  { child, base }: Running,
  load: Load,
  amount: number,
): Promise<Measured> {
  const pool = new Pool(base, { connections: load.connections });
  const took: number[] = [];
  const before = await processorTime(child);
  const began = performance.now();
  const askInTurn = async () => {
    while (amount > 0) {
      amount -= 1;
      const sent = performance.now();
      await ask(pool, load);
      took.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, askInTurn));
  const seconds = (performance.now() - began) / 1_000;
  await pool.close();
  took.sort((one, other) => one - other);
  const at = (share: number) => Math.round(took[Math.floor(took.length * share)]! * 100) / 100;
  const used = (await processorTime(child)) - before;
  return { rate: took.length / seconds, p50: at(0.5), p99: at(0.99), cpu: used / took.length };
}

async function expectStatus(base: string, load: Load): Promise<void> {
  const pool = new Pool(base);
  await ask(pool, load);
  await pool.close();
}

/** Sends one request; an answer that is not the expected one is an error. */
async function ask(pool: Pool, load: Load): Promise<void> {
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

/** One request as it is sent. */
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

/** Processor time of a process so far, in microseconds; the kernel counts in hundredths of a second. */
async function processorTime({ pid }: Pick<ChildProcess, 'pid'>): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Measurement in the middle of several, by its rate. */
export function median<Run extends { rate: number }>(runs: readonly Run[]): Run {
  return runs.toSorted((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]!;
}

/** Memory of a process, in megabytes. */
export async function memory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return Math.round(kilobytes / 1024);
}
