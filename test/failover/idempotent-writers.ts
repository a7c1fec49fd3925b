import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertProject } from '#db/queries/projects.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';

/** Longer than the server waits for an unresponsive database. */
const TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

const PATHS = {
  toggles: '/site/toggle-site-visibility',
  metrics: '/stats/ingest-metrics',
  renames: '/account/update-display-name',
};
export type Kind = keyof typeof PATHS;
export const KINDS = Object.keys(PATHS) as Kind[];

/** Server settings for the writers, which rename more often than the default limit allows. */
export const WRITER_SETTINGS = {
  TRUST_ACCOUNTS: 'true',
};

interface Account {
  index: number;
  id: string;
  key: string;
  projectId: string;
  /** Number of acknowledged writes. */
  doneCounts: Record<Kind, number>;
}

/**
 * Accounts that continuously toggle their site, store metrics and rename themselves, with one request
 * of each kind at a time. Each write has an Idempotency-Key and is retried until it succeeds.
 */
export class IdempotentWriters {
  readonly #url: () => string;
  readonly #accounts: Account[];
  readonly #pending: Promise<void>[] = [];
  #stopped = false;
  /** Number of failed attempts. */
  failures = 0;
  /** Number of replayed responses. */
  replays = 0;

  private constructor(url: () => string, accounts: Account[]) {
    this.#url = url;
    this.#accounts = accounts;
  }

  /** Creates the accounts and starts writing. `url` is called for each request. */
  static async start(db: Database, url: () => string, count: number): Promise<IdempotentWriters> {
    const accounts: Account[] = [];
    for (let index = 0; index < count; index += 1) {
      const { account_id: id, api_key: key } = await inTransaction(db, insertAccountWithKey);
      const { id: projectId } = await insertProject(db, id, 'Shop');
      accounts.push({
        index,
        id,
        key,
        projectId,
        doneCounts: { toggles: 0, metrics: 0, renames: 0 },
      });
    }
    const writers = new IdempotentWriters(url, accounts);
    for (const account of accounts)
      for (const kind of KINDS) writers.#pending.push(writers.#writeAll(account, kind));
    // Avoids unhandled rejections. `waitForMore` and `stop` report them.
    for (const pending of writers.#pending) pending.catch(() => {});
    return writers;
  }

  /** Number of acknowledged writes so far. */
  doneCount(kind: Kind): number {
    return this.#accounts.reduce((sum, { doneCounts }) => sum + doneCounts[kind], 0);
  }

  /** Waits until every account has `count` more acknowledged writes of each kind. */
  async waitForMore(count: number): Promise<void> {
    const targets = this.#accounts.flatMap(({ doneCounts }) =>
      KINDS.map((kind) => ({ doneCounts, kind, target: doneCounts[kind] + count })),
    );
    const waitUntilReached = async () => {
      while (targets.some(({ doneCounts, kind, target }) => doneCounts[kind] < target))
        await sleep(RETRY_MS);
    };
    await Promise.race([waitUntilReached(), Promise.all(this.#pending)]);
  }

  /** Stops after the pending writes are acknowledged. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#pending);
  }

  /** Lists acknowledged writes that are missing or stored twice. Call it after `stop`. */
  async findErrors(db: Database): Promise<string[]> {
    const errors = await Promise.all(
      this.#accounts.map((account) => findAccountErrors(db, account)),
    );
    return errors.flat();
  }

  async #writeAll(account: Account, kind: Kind): Promise<void> {
    while (!this.#stopped) {
      const nextCount = account.doneCounts[kind] + 1;
      const result = await this.#write(account, kind, createBody(account, kind, nextCount));
      // Toggles alternate, so a lost or repeated one shows in the next result.
      if (kind === 'toggles' && result['newStatus'] !== (nextCount % 2 === 1))
        throw new Error(`toggle ${nextCount} returned ${JSON.stringify(result)}`);
      account.doneCounts[kind] = nextCount;
    }
  }

  /** Retries a write until it is acknowledged. */
  async #write(account: Account, kind: Kind, body: object): Promise<Record<string, unknown>> {
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': account.key,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    };
    for (;;) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const result = await fetch(this.#url() + PATHS[kind], { ...request, signal })
        .then(async (response) => ({ response, text: await response.text() }))
        .catch(() => undefined);
      if (result?.response.ok) {
        if (result.response.headers.has('idempotent-replayed')) this.replays += 1;
        return JSON.parse(result.text) as Record<string, unknown>;
      }
      // On a busy machine, this process may send a request too late. The server ignored it.
      if (result?.response.status === 408) continue;
      if (result && result.response.status < 500)
        throw new Error(`${kind}: ${result.response.status} ${result.text}`);
      this.failures += 1;
      await sleep(RETRY_MS);
    }
  }
}

function createBody(account: Account, kind: Kind, count: number): object {
  if (kind === 'toggles') return {};
  if (kind === 'metrics') return { projectId: account.projectId, payload: { n: count } };
  return { display_name: createName(account, count) };
}

function createName({ index }: Account, count: number): string {
  return `writer-${index}-${count}`;
}

async function findAccountErrors(db: ReadDatabase, account: Account): Promise<string[]> {
  const errors: string[] = [];
  const compare = (subject: string, actual: unknown, expected: unknown) => {
    const [actualText, expectedText] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (actualText !== expectedText)
      errors.push(`account ${account.index}: ${subject} ${actualText}, not ${expectedText}`);
  };
  const metrics = await db
    .selectFrom('metrics')
    .select('payload')
    .where('project_id', '=', account.projectId)
    .execute();
  const countByMetric = new Map<number, number>();
  for (const { payload } of metrics) {
    const { n } = payload as { n: number };
    countByMetric.set(n, (countByMetric.get(n) ?? 0) + 1);
  }
  for (let n = 1; n <= account.doneCounts.metrics; n += 1)
    if (countByMetric.get(n) !== 1) compare(`metric ${n} count`, countByMetric.get(n) ?? 0, 1);
  compare('metrics', metrics.length, account.doneCounts.metrics);

  const site = await db
    .selectFrom('sites')
    .select('enabled')
    .where('account_id', '=', account.id)
    .executeTakeFirst();
  compare('visible', site?.enabled ?? false, account.doneCounts.toggles % 2 === 1);

  const renames = await db
    .selectFrom('events')
    .select('detail')
    .where('account_id', '=', account.id)
    .where('type', '=', 'display_name_updated')
    .orderBy('created_at')
    .execute();
  compare(
    'renames',
    renames.map(({ detail }) => (detail as { to: string }).to),
    Array.from({ length: account.doneCounts.renames }, (_, count) =>
      createName(account, count + 1),
    ),
  );
  const displayNames = await db
    .selectFrom('display_names')
    .select('name')
    .where('account_id', '=', account.id)
    .execute();
  compare(
    'names',
    displayNames.map(({ name }) => name),
    account.doneCounts.renames > 0 ? [createName(account, account.doneCounts.renames)] : [],
  );
  return errors;
}
