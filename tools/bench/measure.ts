import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchDatabase } from './bench-database.ts';
import { type Load, UUID_PLACEHOLDER } from './loads.ts';
import type { RunningServer } from './processes.ts';

export interface Measurement {
  /** Requests per second. */
  rate: number;
  /** Latency, in milliseconds. */
  p50: number;
  p99: number;
  /** CPU time of the server per request, in microseconds. */
  cpu: number;
  /** CPU time of the database's processes per request, in microseconds. */
  databaseCpu: number;
}

/**
 * Number of distinct requests generated for a load with `vary`. Each is sent many times; only its
 * UUID is new each time.
 */
const VARIANT_COUNT = 10_000;

const WRK_SCRIPT = join(import.meta.dirname, 'wrk.lua');

/** Runs `wrk` against a server. Throws if a response is an error. */
export async function measure(
  { child, base }: RunningServer,
  load: Load,
  seconds: number,
  database: Pick<BenchDatabase, 'listProcesses'>,
): Promise<Measurement> {
  const { title, connections, vary } = load;
  await expectSuccess(base, load);
  const requests = Array.from({ length: vary ? VARIANT_COUNT : 1 }, () =>
    formatRawRequest(base, load),
  );
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-bench-'));
  try {
    const file = join(folder, 'requests');
    await writeFile(file, requests.join('\0'));
    const readDatabaseCpuTime = async () =>
      (await Promise.all((await database.listProcesses()).map(readCpuTime))).reduce(
        (sum, time) => sum + time,
        0,
      );
    const cpuTimeBefore = await readCpuTime(child.pid!);
    const databaseCpuTimeBefore = await readDatabaseCpuTime();
    const options = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout=30s',
      '-s',
      WRK_SCRIPT,
      base,
    ];
    const seed = `${Date.now() % 2 ** 31}`;
    const { stdout } = await promisify(execFile)('wrk', [
      ...options,
      '--',
      file,
      UUID_PLACEHOLDER,
      seed,
    ]);
    const cpuTime = (await readCpuTime(child.pid!)) - cpuTimeBefore;
    const databaseCpuTime = (await readDatabaseCpuTime()) - databaseCpuTimeBefore;
    // `done` in wrk.lua prints the last line. Times are in microseconds.
    const [count, duration, p50, p99, errorStatuses, errors] = stdout
      .trim()
      .split('\n')
      .at(-1)!
      .split('\t')
      .map(Number) as [number, number, number, number, number, number];
    if (errorStatuses > 0 || errors > 0)
      throw new Error(`${title}: ${errorStatuses} unexpected responses and ${errors} errors`);
    return {
      rate: (count / duration) * 1_000_000,
      p50: Math.round(p50 / 10) / 100,
      p99: Math.round(p99 / 10) / 100,
      cpu: cpuTime / count,
      databaseCpu: databaseCpuTime / count,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function expectSuccess(base: string, load: Load): Promise<void> {
  const { title, path, headers, body, vary } = load;
  const request = { path, headers, body, ...vary?.() };
  const withId = (text: string) => text.replaceAll(UUID_PLACEHOLDER, crypto.randomUUID());
  const response = await fetch(base + request.path, {
    method: request.body === undefined ? 'GET' : 'POST',
    headers: Object.entries(request.headers).map(([name, value]) => [name, withId(value)]),
    ...(request.body !== undefined && { body: withId(request.body) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${title}: responded with ${response.status}`);
}

function formatRawRequest(base: string, { path, headers, body, vary }: Load): string {
  const request = { path, headers, body, ...vary?.() };
  const allHeaders = {
    host: new URL(base).host,
    ...request.headers,
    ...(request.body !== undefined && { 'content-length': `${Buffer.byteLength(request.body)}` }),
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = request.body === undefined ? 'GET' : 'POST';
  return `${method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${request.body ?? ''}`;
}

/** Returns the CPU time of a process in microseconds. The kernel counts in units of 10 ms. */
async function readCpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
}

export function medianByRate<Run extends { rate: number }>(runs: readonly Run[]): Run {
  return runs.toSorted((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]!;
}

/** Returns the median of the ratios of CPU times (server and database) in alternating runs. */
export function compareCpu(runs: readonly Measurement[], others: readonly Measurement[]): number {
  const sum = ({ cpu, databaseCpu }: Measurement) => cpu + databaseCpu;
  const ratios = runs.map((run, index) => sum(run) / sum(others[index]!)).toSorted((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)]!;
}

/** Returns the resident memory of a process in MiB. */
export async function readMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return Math.round(kilobytes / 1024);
}
