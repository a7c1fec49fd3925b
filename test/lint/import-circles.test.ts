import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { expect, it } from 'vitest';

const FOLDERS = 'bin,client,contract,dashboard,db,page,server,tools,translations';
/** Includes imports of types, and dynamic imports. */
const IMPORT = /(?:\bfrom|^import|\bimport\()\s*'([#.][^']+)'/gm;
const MAX_FILES = 4;

type Graph = Map<string, Set<string>>;

async function readImports(): Promise<Graph> {
  const pattern = `{${FOLDERS}}/**/*.{ts,tsx}`;
  const files = globSync(pattern, { exclude: ['**/node_modules/**'] });
  const graph: Graph = new Map();
  for (const file of files) {
    const imports = (await readFile(file, 'utf8')).matchAll(IMPORT);
    const targets = [...imports].map(([, path = '']) =>
      path.startsWith('#') ? path.slice(1) : join(dirname(file), path),
    );
    graph.set(file, new Set(targets));
  }
  return graph;
}

function findReachable(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(graph.get(start) ?? [])];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    next.push(...(graph.get(node) ?? []));
  }
  return reached;
}

/** The largest set of nodes that reach each other. */
function findLargestCircle(graph: Graph): string[] {
  const reachable = new Map([...graph.keys()].map((node) => [node, findReachable(graph, node)]));
  const circles = [...reachable].map(([node, others]) =>
    [...others].filter((other) => reachable.get(other)?.has(node)),
  );
  return circles.toSorted((a, b) => b.length - a.length)[0]!.toSorted();
}

const FEATURE = /^server\/features\/([^/]+)\//;

it('no import circle has more than four files, and features form none', async () => {
  const graph = await readImports();
  expect(graph.size).toBeGreaterThan(900);
  expect(findLargestCircle(graph).slice(MAX_FILES)).toEqual([]);
  const features: Graph = new Map();
  for (const [file, targets] of graph) {
    const [, feature] = FEATURE.exec(file) ?? [];
    if (feature === undefined) continue;
    const used = [...targets].flatMap((target) => FEATURE.exec(target)?.[1] ?? []);
    const others = used.filter((other) => other !== feature);
    features.set(feature, new Set([...(features.get(feature) ?? []), ...others]));
  }
  expect(findLargestCircle(features)).toEqual([]);
});
