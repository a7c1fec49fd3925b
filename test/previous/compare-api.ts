import { readFile } from 'node:fs/promises';

interface Operation {
  operationId: string;
  parameters?: { name?: string; required?: boolean }[];
}

/** Calls all operations that read and need at most a project. Those of operators are about the process. */
export async function readApi(server: { url: string; key: string; project: string }) {
  const document = await fetch(`${server.url}/owner/openapi.json`);
  const { paths } = (await document.json()) as { paths: Record<string, { get?: Operation }> };
  const bodies = new Map<string, unknown>();
  for (const [path, { get }] of Object.entries(paths)) {
    const required = get?.parameters?.filter((parameter) => parameter.required) ?? [];
    const area = path.split('/')[2]!;
    const isOther = area === 'operator' || required.some(({ name }) => name !== 'project_id');
    if (!get || isOther) continue;
    const query = required.length > 0 ? `?project_id=${server.project}` : '';
    const headers = { 'x-api-key': server.key };
    const response = await fetch(server.url + path + query, { headers });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    bodies.set(`${area}.${get.operationId}`, isJson ? await response.json() : response.status);
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
