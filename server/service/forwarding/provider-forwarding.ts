import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { markChanged } from '../../../db/queries/forwarding/forwarding-names.ts';
import { listForwarding, listUnsettled } from '../../../db/queries/forwarding/forwarding-names.ts';
import type { Database } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/connections/transaction.ts';
import { type Provider, checkProvider } from './provider.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { type Reconciler, reconcile } from './reconcile.ts';
import { discardUnwanted } from './discard-unwanted.ts';
import { withStage } from './stage.ts';
import type { ForwardingService } from './service.ts';
import { sync } from './sync.ts';
import type { Timing } from './timing.ts';

const CHECK_MS = 60_000;

/** Forwarding by a provider that is called over the network. */
export function providerForwarding(options: {
  name: string;
  provider: Provider;
  db: Kysely<Database>;
  jobs: JobQueue;
  timing: Timing;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}): ForwardingService {
  const { name: providerName, provider, db, jobs, timing, logger } = options;
  let pausedUntil = 0;
  const work: Reconciler = {
    db,
    provider,
    timing,
    logger,
    wake: (trx, name, at) => jobs.add(trx, 'forwarding', { name }, { key: name, at }),
    pause: (until) => {
      if (Date.now() < pausedUntil) return;
      pausedUntil = until.getTime();
      logger.warn({ until }, 'the forwarding provider asks for a pause');
      jobs.pause('forwarding', until);
    },
  };
  return {
    isAvailable: true,
    staged: withStage,
    queue: async (trx, name) => {
      if (await markChanged(trx, name)) await work.wake(trx, name);
    },
    work: () => jobs.work('forwarding', ({ name }, { signal }) => reconcile(work, name, signal)),
    requeue: async () => {
      for (const { name, notBefore } of await listUnsettled(db))
        await inTransaction(db, (trx) => work.wake(trx, name, notBefore ?? undefined));
    },
    check: async () => {
      const findings = await checkProvider(provider, AbortSignal.timeout(CHECK_MS));
      return {
        provider: providerName,
        ok: findings.every(({ level }) => level !== 'error'),
        findings,
      };
    },
    list: async () => (await listForwarding(db)).map(withStage),
    sync: async (syncOptions) => {
      const report = await sync(work, providerName, syncOptions);
      await discardUnwanted(work);
      return report;
    },
    tidy: () => discardUnwanted(work),
  };
}
