import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, processorTime } from './measure.ts';
import { type Running, startService } from './processes.ts';

/** An answer that the database has no part in. */
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CONNECTIONS = 16;
/** Requests sent in one write, so that the load takes little of the processors itself. */
const TOGETHER = 8;

/** Two processes on one port beside one. */
export async function compareWorkers(
  one: Running,
  settings: Record<string, string>,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Record<string, string | number>[]> {
  const two = await startService({ ...settings, WORKERS: '2' }, []);
  const measured = { one: [] as Flooded[], two: [] as Flooded[] };
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, server] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const flooded = await flood(server, seconds);
      if (round > 0) measured[name].push(flooded);
      process.stderr.write(`workers ${name} ${Math.round(flooded.rate)}/s\n`);
    }
  const [alone, both] = [median(measured.one), median(measured.two)];
  const row = ({ rate, cpu, busy, load }: Flooded) => ({
    'requests/s': Math.round(rate),
    'cpu µs': Math.round(cpu),
    'processors of the service': busy.toFixed(2),
    'of the load': load.toFixed(2),
  });
  const endpoint = { endpoint: '/healthz', at: CONNECTIONS };
  return [
    { ...endpoint, server: '1 worker', ...row(alone) },
    {
      ...endpoint,
      server: '2 workers',
      ...row(both),
      ratio: Number((both.rate / alone.rate).toFixed(2)),
    },
  ];
}

interface Flooded {
  rate: number;
  /** Processor time of the service for a request, in microseconds. */
  cpu: number;
  /** How many processors the service had, and the load. */
  busy: number;
  load: number;
}

/** Asks again and again on some connections, several requests in one write. */
async function flood({ child, base }: Running, seconds: number): Promise<Flooded> {
  const { hostname, port } = new URL(base);
  const length = await lengthOfAnswer();
  const before = {
    service: await timeOfAll(child),
    load: process.cpuUsage(),
    at: performance.now(),
  };
  let answers = 0;
  let wrong: string | undefined;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname);
    let bytes = 0;
    const ask = () => socket.write(REQUEST.repeat(TOGETHER));
    socket.on('connect', ask).on('data', (chunk) => {
      if (bytes === 0 && !chunk.toString('latin1').startsWith('HTTP/1.1 200 '))
        wrong ??= chunk.toString('latin1');
      bytes += chunk.length;
      if (bytes < length * TOGETHER) return;
      if (bytes > length * TOGETHER) wrong ??= 'answers of different lengths';
      bytes = 0;
      answers += TOGETHER;
      ask();
    });
    return socket;
  });
  await sleep(seconds * 1_000);
  for (const socket of sockets) socket.destroy();
  const took = (performance.now() - before.at) * 1_000;
  const { user, system } = process.cpuUsage(before.load);
  const used = (await timeOfAll(child)) - before.service;
  if (wrong !== undefined) throw new Error(`/healthz: ${wrong}`);
  return {
    rate: (answers / took) * 1e6,
    cpu: used / answers,
    busy: used / took,
    load: (user + system) / took,
  };

  async function lengthOfAnswer(): Promise<number> {
    const socket = connect(Number(port), hostname);
    socket.write(REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.length;
  }
}

/** Processor time of a service and its workers. */
async function timeOfAll({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = [pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
  const times = await Promise.all(pids.map((each) => processorTime({ pid: each })));
  return times.reduce((sum, time) => sum + time, 0);
}
