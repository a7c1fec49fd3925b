import { readFile } from 'node:fs/promises';

interface Operation {
  name: string;
  path: string;
  needsProject: boolean;
}

/** The owner's operations that read, without those of operators, whose responses are about the process. */
async function listReads(url: string): Promise<Operation[]> {
  const response = await fetch(`${url}/owner/openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, { get?: { operationId: string; parameters: Parameter[] } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const required = get?.parameters?.filter((parameter) => parameter.required) ?? [];
    const area = path.split('/')[2]!;
    return !get || area === 'operator' || required.some(({ name }) => name !== 'project_id')
      ? []
      : [{ name: `${area}.${get.operationId}`, path, needsProject: required.length > 0 }];
  });
}

interface Parameter {
  name?: string;
  required?: boolean;
}

/** Calls these operations, under the names that they have in the changelog. */
export async function readApi(
  { url, key, project }: { url: string; key: string; project: string },
  names?: Iterable<string>,
): Promise<Map<string, unknown>> {
  const operations = new Map((await listReads(url)).map((read) => [read.name, read]));
  const bodies = new Map<string, unknown>();
  for (const name of names ?? operations.keys()) {
    const { path, needsProject } = operations.get(name)!;
    const query = needsProject ? `?project_id=${project}` : '';
    const response = await fetch(url + path + query, { headers: { 'x-api-key': key } });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    bodies.set(name, isJson ? await response.json() : response.status);
  }
  return bodies;
}

/** What the changelog says was renamed: operations, then fields. */
export async function readRenames() {
  const [, renamed = ''] = (await readFile('CHANGELOG.md', 'utf8')).split('\n### Renamed\n');
  const rows = [...renamed.split('\n### ')[0]!.matchAll(/^\| (`.+?) +\| (`.+?) +\|/gm)];
  const namesOf = (cell: string) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!);
  return rows.flatMap(([, old, now]) =>
    namesOf(old!).map((name, index) => [name, namesOf(now!)[index] ?? namesOf(now!)[0]!] as const),
  );
}

/** Lists the fields whose values changed or that are gone. New fields are not listed. */
export function listChanges(
  before: unknown,
  after: unknown,
  renames: readonly (readonly [string, string])[],
  path = '',
): string[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return before === after ? [] : [path];
  const found = Object.entries(before).flatMap(([name, value]) => {
    const isNew = (now: string) => now in after && !(now in before);
    const key =
      name in after ? name : renames.findLast(([old, now]) => old === name && isNew(now))?.[1];
    const place = `${path}.${Array.isArray(before) ? '' : name}`;
    if (key === undefined) return [place];
    return listChanges(value, (after as Record<string, unknown>)[key], renames, place);
  });
  return [...new Set(found)];
}
