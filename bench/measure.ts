import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import type { Load } from './loads.ts';
import type { Running } from './processes.ts';

export interface Measured {
  rate: number;
  p50: number;
  p99: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

/** Loads a server for so many seconds, or with so many requests; an answer that is not the expected one is an error. */
export async function measure(
  { child, base }: Running,
  { title, path, connections, headers, body, status = 200, vary, inThread, amount }: Load,
  seconds: number,
): Promise<Measured> {
  const before = await processorTime(child);
  const began = performance.now();
  let ended = began;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options = {
    url: base + path,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    method: body ? ('POST' as const) : ('GET' as const),
    headers,
    ...(body && { body }),
    ...(inThread && { workers: 1 }),
    ...(vary && {
      requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, ...vary() }) }],
    }),
  } satisfies autocannon.Options;
  const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  // It notices only every second that all was asked for.
  running.on('response', () => (ended = performance.now()));
  const result = await promise;
  // A thread tells nothing of single answers.
  if (inThread) ended = performance.now();
  const used = (await processorTime(child)) - before;
  const expected = result.statusCodeStats?.[`${status}`];
  const others = result.requests.total - (expected?.count ?? 0);
  if (others > 0 || result.errors > 0)
    throw new Error(`${title}: ${others} other answers and ${result.errors} errors`);
  return {
    rate: (result.requests.total / (ended - began)) * 1_000,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: used / result.requests.total,
  };
}

/** Of a process so far, in microseconds; the kernel counts in hundredths of a second. */
export async function processorTime({ pid }: Pick<ChildProcess, 'pid'>): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Of several measurements the one in the middle, by its rate. */
export function median<Run extends { rate: number }>(runs: readonly Run[]): Run {
  return runs.toSorted((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]!;
}

/** Memory of a process, in megabytes. */
export async function memory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return Math.round(kilobytes / 1024);
}
