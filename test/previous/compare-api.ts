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

/** Lists the fields whose values changed or that are gone. New fields are not listed. */
export function listChanges(before: unknown, after: unknown, path: string): string[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return before === after ? [] : [path];
  const found = Object.entries(before).flatMap(([name, value]) => {
    const place = `${path}.${Array.isArray(before) ? '' : name}`;
    if (!(name in after)) return [place];
    return listChanges(value, (after as Record<string, unknown>)[name], place);
  });
  return [...new Set(found)];
}
