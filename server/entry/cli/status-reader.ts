import packageJson from '../../../package.json' with { type: 'json' };
import { compareMigrations } from '#db/migrating/migrate.ts';
import { listMetricPartitions } from '#db/partitions.ts';
import {
  countAccounts,
  readServerState,
  readSizes,
  readUnsyncedAliases,
} from '#db/database-state.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { readQueueStates } from '#db/queries/jobs.ts';
import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { loadConfig } from '#server/platform/settings/config.ts';
import { withDatabaseErrors, openForCommand } from './open-database.ts';

const MAX_TABLES = 5;
const MAX_NAMES = 5;

export type Status = Awaited<ReturnType<Awaited<ReturnType<typeof openStatusReader>>['read']>>;

export async function openStatusReader() {
  const config = loadConfig(process.env, { isCommand: true });
  const { db, description, close } = await withDatabaseErrors(config, () => openForCommand(config));
  /** Needs the schema of this version. */
  const readService = async () => ({
    metrics: await readPartitions(),
    accounts: await countAccounts(db),
    forwarding: { provider: config.EMAIL_FORWARDING_PROVIDER, unsettled: await readUnsettled() },
    reports: { open: await countOpenReports(db, LIMITS.countedReports) },
    queue: (await readQueueStates(db)) ?? [],
    last_backup_at: (await findLastBackup(db)).finished_at,
  });
  const readUnsettled = async () => {
    const { count, names } = await readUnsyncedAliases(db, MAX_NAMES);
    const texts = names.map(({ name, last_error }) => ({
      name,
      last_error: formatStored(PROVIDER_ERRORS, last_error),
    }));
    return { count, names: texts };
  };
  const readPartitions = async () => {
    const partitions = await listMetricPartitions(db);
    const now = new Date().toISOString();
    return {
      partitioned_until:
        partitions
          .map(({ to }) => to)
          .toSorted()
          .at(-1) ?? null,
      months_ahead: partitions.filter(({ from }) => from > now).length,
    };
  };
  return {
    read: () =>
      withDatabaseErrors(config, async () => {
        const { version, read_only } = await readServerState(db);
        const { canServe, ...migrations } = await compareMigrations(db);
        return {
          version: packageJson.version,
          database: {
            description,
            version,
            read_only,
            ...(await readSizes(db, MAX_TABLES)),
          },
          migrations,
          service: canServe && migrations.due.length === 0 ? await readService() : null,
        };
      }),
    [Symbol.asyncDispose]: close,
  };
}
