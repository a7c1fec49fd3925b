import type { SeedData } from './seed.ts';

/** Placeholder for a new UUID in every request. */
export const UNIQUE = '00000000-0000-4000-8000-000000000000';

/** A request to repeat. */
export interface Load {
  title: string;
  path: string;
  connections: number;
  headers: Record<string, string>;
  body?: string;
  status?: number;
  /** Returns the parts that differ between requests, apart from `UNIQUE`. */
  vary?: () => { path?: string; headers?: Record<string, string>; body?: string };
  /** A load to run first, once, without warm-up, with `amount` requests. */
  before?: Load & { amount: number };
}

const FEW_CONNECTIONS = 32;
const MANY_CONNECTIONS = 128;

const NAME = '/account/get-display-name';
const SITE = '/site/get-site-configuration';
const INGEST = '/stats/ingest-metrics';
const TOGGLE = '/site/toggle-site-visibility';
const RENAME = '/account/update-display-name';

export function listLoads(
  { accountId, apiKey, projectId, otherAccounts }: SeedData,
  { sites, tag }: { sites: number; tag: string },
): Load[] {
  // Only the floor server reads x-account.
  const as = (owner: { accountId: string; apiKey: string }) => ({
    'x-api-key': owner.apiKey,
    'x-account': owner.accountId,
  });
  const asOwner = as({ accountId, apiKey });
  const asRandomAccount = () =>
    as(otherAccounts[Math.floor(Math.random() * otherAccounts.length)]!);
  const json = { 'content-type': 'application/json' };
  // The SDK sends a new key with every request.
  const keyed = { ...json, 'idempotency-key': UNIQUE };
  const asBrowser = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const metric = JSON.stringify({
    projectId,
    payload: { visitors: 42, page: '/', tags: ['a', 'b'] },
  });
  const read = (path: string, connections: number) => ({
    title: path,
    path,
    connections,
    headers: asOwner,
  });
  const ingest = (connections: number) => ({
    title: INGEST,
    path: INGEST,
    connections,
    headers: { ...asOwner, ...json },
    body: metric,
  });
  const ingestKeyed = (connections: number) => ({
    ...ingest(connections),
    title: `${INGEST}, keyed`,
    headers: { ...asOwner, ...keyed },
  });
  const page = { path: '/@jane-doe', connections: FEW_CONNECTIONS, headers: asBrowser };
  let visited = 0;
  return [
    read(NAME, FEW_CONNECTIONS),
    read(NAME, MANY_CONNECTIONS),
    {
      ...read(NAME, FEW_CONNECTIONS),
      title: `${NAME}, ${otherAccounts.length} keys`,
      vary: () => ({ headers: asRandomAccount() }),
    },
    read(SITE, FEW_CONNECTIONS),
    ingest(FEW_CONNECTIONS),
    ingest(MANY_CONNECTIONS),
    ingestKeyed(FEW_CONNECTIONS),
    ingestKeyed(MANY_CONNECTIONS),
    { ...page, title: '/@name' },
    {
      ...page,
      title: '/@name, known already',
      headers: { ...asBrowser, 'if-none-match': tag },
      status: 304,
    },
    {
      ...page,
      title: `/@name, ${sites} at random`,
      vary: () => ({ path: `/@other-${Math.floor(Math.random() * sites)}` }),
      before: {
        ...page,
        title: `/@name, ${sites} in turn, for the first time`,
        vary: () => ({ path: `/@other-${visited++ % sites}` }),
        amount: sites,
      },
    },
    // These two must be last, because they hide the sites and change the names that the other loads
    // use.
    {
      title: `${TOGGLE}, keyed`,
      path: TOGGLE,
      connections: FEW_CONNECTIONS,
      headers: {},
      body: '{}',
      vary: () => ({ headers: { ...asRandomAccount(), ...keyed } }),
    },
    {
      title: `${RENAME}, keyed`,
      path: RENAME,
      connections: FEW_CONNECTIONS,
      headers: {},
      body: JSON.stringify({ display_name: `n-${UNIQUE}` }),
      vary: () => ({ headers: { ...asRandomAccount(), ...keyed } }),
    },
  ];
}
