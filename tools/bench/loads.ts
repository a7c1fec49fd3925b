import type { SeedData } from './seed.ts';

/** Placeholder for a new UUID in every request. */
export const UUID_PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/** A request to repeat. */
export interface Load {
  title: string;
  path: string;
  connections: number;
  headers: Record<string, string>;
  body?: string;
  /** Returns the parts that differ between requests, apart from `UUID_PLACEHOLDER`. */
  vary?: () => { path?: string; headers?: Record<string, string>; body?: string };
}

const FEW_CONNECTIONS = 32;
const MANY_CONNECTIONS = 128;

const NAME_PATH = '/account/get-display-name';
const SITE_PATH = '/site/get-site-configuration';
const INGEST_PATH = '/stats/ingest-metrics';
const RENAME_PATH = '/account/update-display-name';

export function listLoads({ accountId, apiKey, projectId, otherAccounts }: SeedData): Load[] {
  // Only the baseline server reads x-account.
  const authHeaders = (owner: { accountId: string; apiKey: string }) => ({
    'x-api-key': owner.apiKey,
    'x-account': owner.accountId,
  });
  const ownerHeaders = authHeaders({ accountId, apiKey });
  const randomAccountHeaders = () =>
    authHeaders(otherAccounts[Math.floor(Math.random() * otherAccounts.length)]!);
  const jsonHeaders = { 'content-type': 'application/json' };
  // The SDK sends a new key with every request.
  const keyedHeaders = { ...jsonHeaders, 'idempotency-key': UUID_PLACEHOLDER };
  const metric = JSON.stringify({
    projectId,
    payload: { visitors: 42, page: '/', tags: ['a', 'b'] },
  });
  const readLoad = (path: string, connections: number) => ({
    title: path,
    path,
    connections,
    headers: ownerHeaders,
  });
  const ingestLoad = (connections: number) => ({
    title: INGEST_PATH,
    path: INGEST_PATH,
    connections,
    headers: { ...ownerHeaders, ...jsonHeaders },
    body: metric,
  });
  const keyedIngestLoad = (connections: number) => ({
    ...ingestLoad(connections),
    title: `${INGEST_PATH}, keyed`,
    headers: { ...ownerHeaders, ...keyedHeaders },
  });
  return [
    readLoad(NAME_PATH, FEW_CONNECTIONS),
    readLoad(NAME_PATH, MANY_CONNECTIONS),
    {
      ...readLoad(NAME_PATH, FEW_CONNECTIONS),
      title: `${NAME_PATH}, ${otherAccounts.length} keys`,
      vary: () => ({ headers: randomAccountHeaders() }),
    },
    readLoad(SITE_PATH, FEW_CONNECTIONS),
    ingestLoad(FEW_CONNECTIONS),
    ingestLoad(MANY_CONNECTIONS),
    keyedIngestLoad(FEW_CONNECTIONS),
    keyedIngestLoad(MANY_CONNECTIONS),
    {
      title: '/@name',
      path: '/@jane-doe',
      connections: FEW_CONNECTIONS,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    },
    // Last, because it changes the names that the other loads use.
    {
      title: `${RENAME_PATH}, keyed`,
      path: RENAME_PATH,
      connections: FEW_CONNECTIONS,
      headers: {},
      body: JSON.stringify({ display_name: `n-${UUID_PLACEHOLDER}` }),
      vary: () => ({ headers: { ...randomAccountHeaders(), ...keyedHeaders } }),
    },
  ];
}
