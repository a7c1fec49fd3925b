import { readFile, rm } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './processes.ts';

/** How much of its processor time a process spent on what, in percent, the largest first. */
export type Costs = [part: string, percent: number][];

type Node = Profiler.ProfileNode & { parent?: Node };

const POLL_MS = 50;
const ROOT = new URL('..', import.meta.url).href;

/** By the package that a file is of. */
const PACKAGES: Record<string, string> = {
  kysely: 'Kysely and pg',
  pg: 'Kysely and pg',
  'pg-protocol': 'Kysely and pg',
  'pg-pool': 'Kysely and pg',
  'pg-types': 'Kysely and pg',
  pino: 'log',
  'sonic-boom': 'log',
  fastify: 'Fastify',
  'find-my-way': 'Fastify',
  avvio: 'Fastify',
  'fast-json-stringify': 'Fastify',
  '@ts-rest/core': 'Fastify',
  '@ts-rest/fastify': 'Fastify',
  zod: 'zod',
};

/** By the module of Node. */
const MODULES: Record<string, string> = {
  zlib: 'compression',
  crypto: 'hashes and ids',
  fs: 'files',
};

/** Profiles a process, which has loaded `profiling.ts`, while something is done. */
export async function profile(
  { child }: Running,
  file: string,
  done: () => Promise<unknown>,
): Promise<Costs> {
  await rm(file, { force: true });
  child.kill('SIGUSR2');
  await done();
  child.kill('SIGUSR2');
  return costsOf(JSON.parse(await whenWritten(file)) as Profiler.Profile);
}

async function whenWritten(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
    await sleep(POLL_MS);
  }
}

function costsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Costs {
  const byId = new Map<number, Node>(nodes.map((node) => [node.id, node]));
  for (const node of nodes)
    for (const child of node.children ?? []) byId.get(child)!.parent = byId.get(node.id)!;
  const took = new Map<string, number>();
  let all = 0;
  for (const [index, id] of samples.entries()) {
    const part = partOf(byId.get(id)!);
    if (part === undefined) continue;
    const time = timeDeltas[index]!;
    all += time;
    took.set(part, (took.get(part) ?? 0) + time);
  }
  return [...took]
    .map(([part, time]): [string, number] => [part, (time / all) * 100])
    .toSorted(([, one], [, other]) => other - one);
}

/** Part that a sample belongs to; undefined for none. */
function partOf(node: Node): string | undefined {
  const { functionName: name, url } = node.callFrame;
  if (name === '(idle)') return undefined;
  if (name === '(garbage collector)') return 'garbage collection';
  if (name === '(program)' || name === '(root)') return 'native, unnamed';
  if (url === '' && /^write(?:v|Buffer|\w+String)$/.test(name))
    return isForDatabase(node) ? 'writing to PostgreSQL' : 'writing to callers';
  // Built-in functions belong to whoever calls them.
  if (url === '') return node.parent ? partOf(node.parent) : 'native, unnamed';
  if (url.startsWith('node:'))
    return (
      MODULES[/^node:(?:internal\/)?(\w+)/.exec(url)![1]!] ?? 'Node’s HTTP, streams and timers'
    );
  const [, packageName] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (packageName !== undefined) return PACKAGES[packageName] ?? 'other packages';
  return url.startsWith(ROOT) ? 'ours' : 'other packages';
}

/** Whether the driver writes, or what lets several of its messages leave in one write. */
function isForDatabase(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent)
    if (at.callFrame.url.includes('/node_modules/pg/') || at.callFrame.url.startsWith(`${ROOT}db/`))
      return true;
  return false;
}
