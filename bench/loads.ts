import type { Seeded } from './seed.ts';

/** Text that is replaced by a new UUID in every request. */
export const UNIQUE = '00000000-0000-4000-8000-000000000000';

/** Request that is sent again and again. */
export interface Load {
  title: string;
  path: string;
  connections: number;
  headers: Record<string, string>;
  body?: string;
  status?: number;
  /** Parts that differ from request to request, beside `UNIQUE`. */
  vary?: () => { path?: string; headers?: Record<string, string>; body?: string };
  /** Is measured before, with so many requests, once and without warming up. */
  before?: Load & { amount: number };
}

const FEW = 32;
const MANY = 128;

const NAME = '/account/get-display-name';
const SITE = '/site/get-site-configuration';
const INGEST = '/stats/ingest-metrics';
const TOGGLE = '/site/toggle-site-visibility';
const RENAME = '/account/update-display-name';

/** The rows of the benchmark. */
export function loadsOf(
  { accountId, apiKey, projectId, others }: Seeded,
  { sites, tag }: { sites: number; tag: string },
): Load[] {
  // The floor trusts x-account; the service ignores it.
  const as = (owner: { accountId: string; apiKey: string }) => ({
    'x-api-key': owner.apiKey,
    'x-account': owner.accountId,
  });
  const asOwner = as({ accountId, apiKey });
  const asAnybody = () => as(others[Math.floor(Math.random() * others.length)]!);
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
  const page = { path: '/@jane-doe', connections: FEW, headers: asBrowser };
  let visited = 0;
  return [
    read(NAME, FEW),
    read(NAME, MANY),
    {
      ...read(NAME, FEW),
      title: `${NAME}, ${others.length} keys`,
      vary: () => ({ headers: asAnybody() }),
    },
    read(SITE, FEW),
    ingest(FEW),
    ingest(MANY),
    ingestKeyed(FEW),
    ingestKeyed(MANY),
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
    // Last: they hide the sites and take away the names that the rows above ask for.
    {
      title: `${TOGGLE}, keyed`,
      path: TOGGLE,
      connections: FEW,
      headers: {},
      body: '{}',
      vary: () => ({ headers: { ...asAnybody(), ...keyed } }),
    },
    {
      title: `${RENAME}, keyed`,
      path: RENAME,
      connections: FEW,
      headers: {},
      body: JSON.stringify({ display_name: `n-${UNIQUE}` }),
      vary: () => ({ headers: { ...asAnybody(), ...keyed } }),
    },
  ];
}
