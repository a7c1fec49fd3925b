import { statfs } from 'node:fs/promises';
import { type server, SIGN_UP_WEEKS } from '#contract/owner/server.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { readAccountCounts, readServerState, readSizes } from '#db/database-state.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { recordUnconfirmedMail } from '#db/queries/unconfirmed-mails.ts';
import type { Core } from '#server/core.ts';
import { cacheForMinute } from '#server/platform/cache-for-minute.ts';
import { runAuditedByOperator } from '#server/platform/http/contract/audited-runner.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Backups } from '../backups/backups.ts';
import { describeBackups } from '../backups/owner-routes.ts';
import type { AllFeatures } from '../define-feature.ts';
import { explainMailError } from '../mails/explain-mail-error.ts';
import { createSetup } from '../setup/setup.ts';
import { readStoredState } from '../setup/stored-state.ts';

type StatusServices = Core & { backups?: Backups | undefined; features: AllFeatures };

const STARTED_AT = new Date(performance.timeOrigin).toISOString();

type ServerRoutes = Pick<Handlers<typeof server>, 'getServer' | 'sendTestMail'>;

export function serverRoutes(app: StatusServices): ServerRoutes {
  const { backups, config, dataDir, mailServers, origin } = app;
  const readCounts = cacheAccountCounts();
  const readStorage = cacheForMinute(readStorageSizes);
  const setup = createSetup(app);
  return {
    getServer: async ({ accountId, readDb, getTranslator }) => {
      await mailServers.refresh();
      const [stored, accounts, storage, { version }] = await Promise.all([
        readStoredState(readDb, config, origin(), accountId),
        readCounts(readDb),
        readStorage(readDb),
        readServerState(readDb),
      ]);
      const { lastBackup, loginEmail, mailQueue, queues } = stored;
      const findings = await setup.listFindings(getTranslator(), readDb, stored);
      return {
        version: packageJson.version,
        database_version: version,
        started_at: STARTED_AT,
        url: config.PUBLIC_URL ?? null,
        accounts,
        storage: { ...storage, free_bytes: await readFreeBytes(dataDir) },
        mail: {
          waiting: mailQueue?.waiting ?? 0,
          retrying: mailQueue?.awaiting_retry ?? 0,
          failed: mailQueue?.failed ?? 0,
        },
        open_reports: findings.find(({ code }) => code === 'reportsOpen')?.count ?? 0,
        last_backup_at: lastBackup.finished_at?.toISOString() ?? null,
        backups: backups ? await describeBackups(app, backups, queues) : null,
        login_email: loginEmail ?? null,
        setup: findings.map(({ level, ...rest }) => ({
          ...rest,
          level: level === 'error' ? 'warning' : level,
        })),
      };
    },

    sendTestMail: async ({ db, body: { email }, getTranslator, refuse, ...caller }) => {
      const { accountId } = caller;
      await mailServers.refresh();
      if (!mailServers.current) throw refuse('mailNotSetUp');
      const to = email ?? (await findOwnerAddress(db, accountId));
      if (to === undefined) throw refuse('emailMissing');
      if (!(await recordUnconfirmedMail(db, 'test', LIMITS.testMailsPerHour)))
        throw refuse('testMailLimitReached', retryAfter(HOUR_MS - (Date.now() % HOUR_MS)));
      const language = await findAccountLanguage(db, accountId);
      const code = (await setup.sendTestMail(db, { to, publicUrl: origin(), language })) ?? null;
      const detail = { result: code ?? 'accepted' };
      await runAuditedByOperator(db, caller, async (_trx, audit) => audit({ detail }));
      const problem = code === null ? null : explainMailError(getTranslator(), code);
      return { accepted: code === null, code, problem, email: to };
    },
  };
}

/** At most a minute old, and never older than the last audited change. */
function cacheAccountCounts() {
  const read = (db: ReadDatabase) => readAccountCounts(db, SIGN_UP_WEEKS);
  let readCached = cacheForMinute(read);
  let latestIds = '';
  return async (db: ReadDatabase) => {
    // Several entries, because transactions do not commit in the order of their times.
    const entries = await listAuditEntries(db, { limit: 10 });
    const ids = entries.map(({ id }) => id).join();
    if (ids !== latestIds) readCached = cacheForMinute(read);
    latestIds = ids;
    return readCached(db);
  };
}

async function readStorageSizes(db: ReadDatabase) {
  const { bytes, tables } = await readSizes(db);
  const sizeOf = (table: string) => tables.find(({ name }) => name === table)?.bytes ?? 0;
  return {
    database_bytes: bytes,
    picture_bytes: sizeOf('pictures'),
    metric_bytes: sizeOf('metrics'),
  };
}

/** Resolves to null if the folder is not on this machine. */
async function readFreeBytes(folder: string | undefined): Promise<number | null> {
  if (folder === undefined) return null;
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
}
