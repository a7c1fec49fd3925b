import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import {
  type Endpoint,
  endpointsWithBody,
  ownerCallable,
  validBody,
} from '../support/endpoints.ts';
import { bodiesOf } from '../support/json-arbitrary.ts';
import { useServer } from '../support/use-server.ts';

let projectId: string;
const { server, account } = useServer({
  account: true,
  chatPlatform: { send: () => Promise.resolve('1'), edit: () => Promise.resolve('1') },
});
beforeAll(async () => {
  projectId = await server.createProject(account);
});

type Path = (string | number)[];

/** Replacements for a value, each as JSON text. */
const REPLACEMENTS: Record<string, (json: string) => string | undefined> = {
  'left out': () => undefined,
  null: () => 'null',
  'a number': () => '-1.5e-7',
  'a text': () => '"x"',
  'an empty text': () => '""',
  true: () => 'true',
  'an array': () => '[]',
  'an object': () => '{}',
  'wrapped in an array': (json) => `[${json}]`,
  'wrapped in an object': (json) => `{"value":${json}}`,
  'doubled in an array': (json) => `[${json},${json}]`,
  'a long text': () => `"${'x'.repeat(100_000)}"`,
  'many characters beyond the first plane': () => `"${'\u{1F989}'.repeat(5_000)}"`,
  'a long array': () => `[${'1,'.repeat(20_000)}1]`,
  NUL: () => '"a\\u0000b"',
  'half a surrogate pair': () => '"\\ud800"',
  'a key with NUL': () => '{"\\u0000":1}',
  'control characters': () => '"\\u0001\\u001f\\u007f\\u0085\\u2028"',
  'a number beyond a double': () => '1e400',
  'a large number': () => '1e308',
  'deep nesting': () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'a prototype': () => '{"__proto__":{"x":1}}',
  'an inherited name': () => '{"toString":1,"hasOwnProperty":null,"length":-1}',
  SQL: () => `"'; DROP TABLE accounts; --"`,
};

/** Every place in a value where something stands. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [
    path,
    ...children.flatMap(([key, child]) =>
      pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** The JSON of a value with one place in it replaced. */
function replaced(
  value: unknown,
  [key, ...rest]: Path,
  replace: (json: string) => string | undefined,
): string | undefined {
  if (key === undefined) return replace(JSON.stringify(value));
  const parts = Object.entries(value as object).flatMap(([name, child]) => {
    const json = name === String(key) ? replaced(child, rest, replace) : JSON.stringify(child);
    if (json === undefined) return [];
    return Array.isArray(value) ? [json] : [`${JSON.stringify(name)}:${json}`];
  });
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** The status of an answer, which is one that the endpoint declares. */
async function statusFrom(
  { method, path, responses }: Endpoint,
  payload: string | undefined,
): Promise<number> {
  const reply = await call(server.app, { method, path, key: account.key, payload });
  expect(Object.keys(responses).map(Number)).toContain(reply.status);
  expect(reply.status).toBeLessThan(500);
  expect(({} as { x?: unknown }).x).toBeUndefined();
  return reply.status;
}

const ownerEndpointsWithBody = ownerCallable.filter(({ body }) => body);
describe.each(ownerEndpointsWithBody)('$method $path', (endpoint) => {
  it('answers every change of every value in a valid body with a declared status', async () => {
    const body = await validBody(server, account, endpoint);
    expect(await statusFrom(endpoint, JSON.stringify(body))).toBe(200);
    for (const place of pathsOf(body))
      for (const replace of Object.values(REPLACEMENTS))
        await statusFrom(endpoint, replaced(body, place, replace));
  });
});

describe.each(endpointsWithBody)('$method $path', (endpoint) => {
  const { body: schema, name } = endpoint;
  const statusOf = (payload: string | undefined) => statusFrom(endpoint, payload);

  /** The metrics need a project that exists. */
  const bodies = bodiesOf(schema!).map((body) =>
    name === 'ingestMetrics' ? { ...(body as object), projectId } : body,
  );

  it('answers whatever has the declared shape with a declared status, and accepts some of it', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        if ((await statusOf(JSON.stringify(body))) === 200) accepted += 1;
      }),
      { numRuns: 60 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('answers every change of one value in a body with a declared status', async () => {
    const changes = bodies.chain((body) =>
      fc.record({
        body: fc.constant(body),
        place: fc.constantFrom(...pathsOf(body)),
        change: fc.constantFrom(...Object.keys(REPLACEMENTS)),
      }),
    );
    await fc.assert(
      fc.asyncProperty(changes, async ({ body, place, change }) => {
        await statusOf(replaced(body, place, REPLACEMENTS[change]!));
      }),
    );
  });

  it('answers every change of every value in one whole body with a declared status', async () => {
    const [body] = fc.sample(
      bodies.filter((each) => pathsOf(each).length > 3 || name !== 'updateSiteConfiguration'),
      { numRuns: 1, seed: 1 },
    );
    for (const place of pathsOf(body))
      for (const replace of Object.values(REPLACEMENTS))
        await statusOf(replaced(body, place, replace));
  });
});
