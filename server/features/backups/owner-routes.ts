import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { server } from '#contract/owner/server.ts';
import type { QueueState } from '#db/queries/jobs.ts';
import type { Core } from '#server/core.ts';
import { runAuditedByOperator } from '#server/platform/http/contract/audited-runner.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { KEY_FILE } from '#server/platform/secrets/secret-box.ts';
import { BACKUP_HOUR, backupJob } from './backup-job.ts';
import type { Backups } from './backups.ts';

export function backupRoutes({ backups, jobs, queues }: Core & { backups: Backups | undefined }) {
  return {
    createBackup: async ({ db, refuse }) => {
      if (!backups) throw refuse('backupsOff');
      await jobs.add(db, backupJob, {}, { key: 'now', priority: 1 });
    },

    exportBackup: async ({ query: { name }, refuse, ...caller }) => {
      if (!backups) throw refuse('backupsOff');
      const file = await backups.open(name);
      if (!file) throw refuse('backupNotFound');
      const db = queues.writes.databaseFor(caller.accountId);
      await runAuditedByOperator(db, caller, async (_trx, audit) =>
        audit({ detail: { name } }),
      ).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return new WithHeaders(headers, file.createReadStream());
    },
  } satisfies Partial<Handlers<typeof server>>;
}

export async function describeBackups(
  { config, dataDir }: Pick<Core, 'config' | 'dataDir'>,
  backups: Backups,
  queues: QueueState[] | undefined,
) {
  const {
    active = 0,
    waiting = 0,
    deferred = 0,
  } = queues?.find(({ kind }) => kind === backupJob.kind) ?? {};
  const files = await backups.list();
  const nextAt = new Date();
  nextAt.setUTCHours(BACKUP_HOUR, 0, 0, 0);
  if (nextAt.getTime() < Date.now()) nextAt.setUTCDate(nextAt.getUTCDate() + 1);
  return {
    folder: backups.folder,
    separate_files: [
      existsSync('.env') ? resolve('.env') : '.env',
      ...(dataDir === undefined || config.ENCRYPTION_KEY ? [] : [join(resolve(dataDir), KEY_FILE)]),
    ],
    is_running: active > 0 || waiting > deferred,
    next_at: nextAt.toISOString(),
    files: files.map(({ name, bytes, madeAt }) => ({
      name,
      bytes,
      made_at: madeAt.toISOString(),
    })),
  };
}
