import {
  type FakeResponse,
  type FakeProvider,
  basicAuthorization,
  startFakeProvider,
} from './fake-provider.ts';

export interface FakeImprovmx extends FakeProvider {
  /** Destinations by name. */
  aliases: Map<string, string>;
  /** Every change to an alias, in order. */
  history: [name: string, destination: string | undefined][];
}

export const IMPROVMX_KEY = 'sk_improvmx_canary_1f0c';
const DOMAIN = 'nameplate.example';

export async function startFakeImprovmx(): Promise<FakeImprovmx> {
  const aliases = new Map<string, string>();
  const history: FakeImprovmx['history'] = [];
  const ids = new Map<string, number>();
  const aliasJson = (name: string) => {
    if (!ids.has(name)) ids.set(name, ids.size + 1);
    return { alias: name, forward: aliases.get(name), id: ids.get(name) };
  };
  const setAlias = (name: string, destination: string | undefined) => {
    if (destination === undefined) aliases.delete(name);
    else aliases.set(name, destination.toLowerCase());
    history.push([name, destination]);
  };

  const fake = await startFakeProvider(({ method, path, query, body, authorization }) => {
    if (authorization !== basicAuthorization('api', IMPROVMX_KEY))
      return { status: 401, body: { error: `No account has the key of ${authorization}.` } };
    const [, domain, name] =
      /^\/v3\/domains\/([^/]+)\/aliases(?:\/([^/]+))?\/?$/
        .exec(path)
        ?.map((segment) => decodeURIComponent(segment ?? '')) ?? [];
    if (domain !== DOMAIN) return notFoundResponse('domain');
    if (method === 'GET' && !name) {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 5)];
      if (limit < 5 || limit > 100) return invalidResponse('limit', 'Must be from 5 to 100.');
      const names = [...aliases.keys()];
      return {
        status: 200,
        body: {
          aliases: names.slice((page - 1) * limit, page * limit).map(aliasJson),
          limit,
          page,
          total: names.length,
          success: true,
        },
      };
    }
    if (method === 'POST' && !name) {
      if (aliases.has(body.alias))
        return invalidResponse(
          'alias',
          `The alias "${body.alias}" already exists. Please update the existing one instead.`,
        );
      const problem = findForwardProblem(body.forward);
      if (problem) return problem;
      setAlias(body.alias, body.forward);
      return { status: 200, body: { alias: aliasJson(body.alias), success: true } };
    }
    if (!name || !aliases.has(name)) return notFoundResponse('alias');
    if (method === 'GET') return { status: 200, body: { alias: aliasJson(name), success: true } };
    if (method === 'PUT') {
      const problem = findForwardProblem(body.forward);
      if (problem) return problem;
      setAlias(name, body.forward);
      return { status: 200, body: { alias: aliasJson(name), success: true } };
    }
    setAlias(name, undefined);
    return { status: 200, body: { success: true } };
  });
  return Object.assign(fake, { url: `${fake.url}/v3`, aliases, history });
}

/** Several destinations are separated by commas; a free account has five per alias. */
function findForwardProblem(forward: string): FakeResponse | undefined {
  const destinations = forward.split(',');
  if (destinations.length > 5)
    return invalidResponse('forward', 'Your plan allows 5 destinations.');
  return destinations.every((email) => /^[^@\s]+@[^@\s]+$/.test(email))
    ? undefined
    : invalidResponse('forward', 'Enter a valid email address.');
}

function invalidResponse(field: string, message: string): FakeResponse {
  return { status: 400, body: { errors: { [field]: [message] }, success: false } };
}

function notFoundResponse(kind: string): FakeResponse {
  return { status: 404, body: { error: `This ${kind} could not be found.`, success: false } };
}
