import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { markChanged } from '../../../db/queries/forwarding-names.ts';
import { listForwarding, listUnsettled } from '../../../db/queries/forwarding-names.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Provider, checkProvider } from './provider.ts';
import { NameQueue } from './queue.ts';
import { type Reconciler, reconcile } from './reconcile.ts';
import { discardUnwanted } from './discard-unwanted.ts';
import type { ForwardingService } from './service.ts';
import { sync } from './sync.ts';
import type { Timing } from './timing.ts';

const CHECK_MS = 60_000;

/** Forwarding by a provider that is called over the network. */
export function providerForwarding(options: {
  name: string;
  provider: Provider;
  db: Kysely<Database>;
  /** Of the database, where the jobs are, too. */
  url: string;
  timing: Timing;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}): ForwardingService {
  const { name: providerName, provider, db, url, timing, logger } = options;
  const queue = new NameQueue(url, timing, logger);
  const stopping = new AbortController();
  const work: Reconciler = {
    db,
    provider,
    timing,
    logger,
    wake: (trx, name, at) => queue.wake(trx, name, at),
    stopping: stopping.signal,
  };
  return {
    queue: async (trx, name) => {
      if (await markChanged(trx, name)) await queue.wake(trx, name);
    },
    open: () => queue.open(),
    start: async () => {
      await queue.open();
      for (const { name, notBefore } of await listUnsettled(db))
        await inTransaction(db, (trx) => queue.wake(trx, name, notBefore ?? undefined));
      await queue.work((name) => reconcile(work, name));
    },
    stop: async () => {
      stopping.abort();
      await queue.close();
    },
    check: async () => {
      const findings = await checkProvider(provider, AbortSignal.timeout(CHECK_MS));
      return {
        provider: providerName,
        ok: findings.every(({ level }) => level !== 'error'),
        findings,
      };
    },
    list: () => listForwarding(db),
    sync: async (syncOptions) => {
      const report = await sync(work, providerName, syncOptions);
      await discardUnwanted(work);
      return report;
    },
    tidy: () => discardUnwanted(work),
  };
}
