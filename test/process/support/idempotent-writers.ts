import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { insertProject } from '#db/queries/projects.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';

/** Longer than the server waits for an unresponsive database. */
const TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

const PATHS = {
  toggles: '/site/toggle-site-visibility',
  metrics: '/stats/ingest-metrics',
  renames: '/account/update-display-name',
};
type Kind = keyof typeof PATHS;
const KINDS = Object.keys(PATHS) as Kind[];

/** Server settings for the writers, which rename more often than the default limit allows. */
export const WRITER_SETTINGS = { TRUST_ACCOUNTS: 'true' };

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
  readonly #accounts: Account[] = [];
  readonly #pending: Promise<void>[] = [];
  #stopped = false;
  /** Number of failed attempts. */
  failures = 0;
  /** Number of replayed responses. */
  replays = 0;

  private constructor(url: () => string) {
    this.#url = url;
  }

  /** Creates the accounts and starts writing. `url` is called for each request. */
  static async start(db: Database, url: () => string, count: number): Promise<IdempotentWriters> {
    const writers = new IdempotentWriters(url);
    for (let index = 0; index < count; index += 1) {
      const { account_id: id, api_key: key } = await inTransaction(db, insertAccountWithKey);
      const { id: projectId } = await insertProject(db, id, 'Shop');
      const doneCounts = { toggles: 0, metrics: 0, renames: 0 };
      writers.#accounts.push({ index, id, key, projectId, doneCounts });
    }
    for (const account of writers.#accounts)
      for (const kind of KINDS) writers.#pending.push(writers.#writeAll(account, kind));
    // Avoids unhandled rejections. `waitForMore` and `stop` report them.
    for (const pending of writers.#pending) pending.catch(() => {});
    return writers;
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

  /** Expects that each acknowledged write is stored once. Call it after `stop`. */
  expectStored(db: ReadDatabase): Promise<void> {
    return expectStored(db, this.#accounts);
  }

  async #writeAll(account: Account, kind: Kind): Promise<void> {
    while (!this.#stopped) {
      const nextCount = account.doneCounts[kind] + 1;
      const bodies = {
        toggles: {},
        metrics: { projectId: account.projectId, payload: { n: nextCount } },
        renames: { display_name: createName(account.index, nextCount) },
      };
      const result = await this.#write(account.key, kind, bodies[kind]);
      // Toggles alternate, so a lost or repeated one shows in the next result.
      if (kind === 'toggles' && result['newStatus'] !== (nextCount % 2 === 1))
        throw new Error(`toggle ${nextCount} returned ${JSON.stringify(result)}`);
      account.doneCounts[kind] = nextCount;
    }
  }

  /** Retries a write until it is acknowledged. */
  async #write(key: string, kind: Kind, body: object): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/json',
      'x-api-key': key,
      'idempotency-key': randomUUID(),
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
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

function createName(index: number, count: number): string {
  return `writer-${index}-${count}`;
}

async function expectStored(db: ReadDatabase, accounts: readonly Account[]): Promise<void> {
  for (const { index, id, projectId, doneCounts } of accounts) {
    const { rows } = await sql`SELECT
      ARRAY(SELECT (payload->>'n')::int FROM metrics WHERE project_id = ${projectId} ORDER BY 1) AS metrics,
      coalesce((SELECT enabled FROM sites WHERE account_id = ${id}), false) AS visible,
      ARRAY(SELECT detail->>'to' FROM events WHERE account_id = ${id}
        AND type = 'display_name_updated' ORDER BY created_at) AS renames,
      ARRAY(SELECT name FROM display_names WHERE account_id = ${id}) AS names`.execute(db);
    const numbers = (kind: Kind) => Array.from({ length: doneCounts[kind] }, (_, n) => n + 1);
    const renames = numbers('renames').map((count) => createName(index, count));
    expect(rows[0]).toEqual({
      metrics: numbers('metrics'),
      visible: doneCounts.toggles % 2 === 1,
      renames,
      names: renames.slice(-1),
    });
  }
}
