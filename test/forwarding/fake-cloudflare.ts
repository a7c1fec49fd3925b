import { randomUUID } from 'node:crypto';
import { type FakeResponse, type FakeProvider, startFakeProvider } from './fake-provider.ts';

interface FakeRule {
  id: string;
  name: string;
  enabled: boolean;
  priority: number;
  matchers: { type: string; field?: string; value?: string }[];
  actions: { type: string; value?: string[] }[];
}

interface FakeAddress {
  id: string;
  email: string;
  verified: string | null;
}

export interface FakeCloudflare extends FakeProvider {
  rules: Map<string, FakeRule>;
  addresses: Map<string, FakeAddress>;
  catchAll: { enabled: boolean; actions: { type: string; value?: string[] }[] };
  /** Confirms an address, like the link in Cloudflare's mail. */
  verify: (email: string) => void;
  destinations: (address: string) => string[];
}

export const CLOUDFLARE_TOKEN = 'cloudflare_canary_token_0042';
export const ZONE_ID = '023e105f4ecef8ad9ca31a8372d0c353';
export const ACCOUNT_ID = '372e67954025e0ba6aaa6d586b9e0b59';
const MAX_ITEMS = 200;

export async function startFakeCloudflare(): Promise<FakeCloudflare> {
  const rules = new Map<string, FakeRule>();
  const addresses = new Map<string, FakeAddress>();
  const isVerified = (email: string) =>
    [...addresses.values()].some((address) => address.email === email && address.verified);

  function storeRule(id: string, mixedCase: any): FakeResponse {
    const body = JSON.parse(JSON.stringify(mixedCase).toLowerCase());
    const forward = body.actions?.find((action: { type: string }) => action.type === 'forward');
    if (!body.matchers?.length || !body.actions?.length)
      return failure(400, 2006, 'Invalid rule: actions and matchers are required.');
    if (forward?.value?.length !== 1 || !isVerified(forward.value[0]))
      return failure(400, 2020, 'Invalid rule: one verified destination address is required.');
    const rule = { name: '', priority: 0, enabled: true, ...body, id };
    rules.set(id, rule);
    return successResponse(rule);
  }

  const provider = await startFakeProvider(({ method, path, query, body, authorization }) => {
    if (authorization !== `Bearer ${CLOUDFLARE_TOKEN}`)
      return failure(401, 10_000, 'Authentication error');
    if (path === `/client/v4/accounts/${ACCOUNT_ID}/email/routing/addresses`) {
      if (method === 'GET') return paginate([...addresses.values()], query);
      if (addresses.size >= MAX_ITEMS) return failure(400, 2027, 'Too many destination addresses.');
      if ([...addresses.values()].some(({ email }) => email === body.email))
        return failure(409, 2032, 'The destination address already exists.');
      const address = { id: randomUUID(), email: body.email, verified: null };
      addresses.set(address.id, address);
      return successResponse(address);
    }
    const address = addresses.get(path.split(`/${ACCOUNT_ID}/email/routing/addresses/`)[1] ?? '');
    if (address && method === 'DELETE') {
      addresses.delete(address.id);
      for (const rule of rules.values())
        if (rule.actions.some(({ value }) => value?.includes(address.email))) rule.enabled = false;
      return successResponse(address);
    }
    const prefix = `/client/v4/zones/${ZONE_ID}/email/routing/rules`;
    if (!path.startsWith(prefix)) return failure(404, 7003, 'Could not route to the path.');
    const id = path.slice(prefix.length + 1);
    if (id === 'catch_all') return successResponse(fake.catchAll);
    if (id === '' && method === 'GET') return paginate([...rules.values()], query);
    if (id === '' && method === 'POST')
      return rules.size >= MAX_ITEMS
        ? failure(400, 2022, 'Too many rules.')
        : storeRule(randomUUID(), body);
    const rule = rules.get(id);
    if (!rule) return failure(404, 2003, 'Rule not found.');
    if (method === 'PUT') return storeRule(id, body);
    if (method === 'DELETE') rules.delete(id);
    return successResponse(rule);
  });
  const fake: FakeCloudflare = Object.assign(provider, {
    url: `${provider.url}/client/v4`,
    rules,
    addresses,
    catchAll: { enabled: false, actions: [{ type: 'drop' }] },
    verify: (email: string) => {
      for (const address of addresses.values())
        if (address.email === email) address.verified = '2026-01-01T00:00:00Z';
    },
    destinations: (address: string) =>
      [...rules.values()]
        .filter((rule) => rule.enabled && rule.matchers.some(({ value }) => value === address))
        .flatMap((rule) => rule.actions.flatMap(({ value }) => value ?? [])),
  });
  return fake;
}

function successResponse(result: unknown): FakeResponse {
  return { status: 200, body: { success: true, errors: [], messages: [], result } };
}

function paginate(items: unknown[], query: URLSearchParams): FakeResponse {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
  if (size > 50) return failure(400, 7003, 'per_page must be 50 at most.');
  return successResponse(items.slice((page - 1) * size, page * size));
}

function failure(status: number, code: number, message: string): FakeResponse {
  const errors = [{ code, message }];
  return { status, body: { success: false, errors, messages: [], result: null } };
}
