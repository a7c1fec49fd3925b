import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { HOUR_MS, MINUTE_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { type operatorServer, SIGN_UP_WEEKS } from '#contract/owner/operator-server.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import {
  readAccountCounts,
  readServerState,
  readSizes,
  readUnsyncedAliases,
} from '#db/database-state.ts';
import { findStuckMails, type QueueState, readQueueStates } from '#db/queries/jobs.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { countOperators } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { countOpenReports } from '#db/queries/reports.ts';
import { recordUnconfirmedMail } from '#db/queries/unconfirmed-mails.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { formatStored } from '#server/platform/text/language.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { backupRoutes, describeBackups } from '../backups/owner-routes.ts';
import { PROVIDER_ERRORS } from '../forwarding/forwarding-provider.ts';
import { explainMailError, isConnectionError } from '../mails/explain-mail-error.ts';
import { requireRecentLogin } from '../sessions/recent-login.ts';
import { runAuditedByOperator } from './audited-runner.ts';
import { listSetupFindings, type SetupState } from './setup-findings.ts';

const STARTED_AT = new Date(performance.timeOrigin).toISOString();
/** Some mail servers greet only after a few seconds. */
const MAIL_LOGIN_MS = 5_000;
const NO_STUCK_MAILS = { count: 0, error: null };

export function operatorServerRoutes(app: App): Handlers<typeof operatorServer> {
  const { backups, config, dataDir, instanceStore, origin, secretBox } = app;
  const readStorage = createCachedReader(MINUTE_MS, readStorageSizes);
  const readSignOnError = createCachedReader(MINUTE_MS, async () => app.signOn?.provider.check());
  // Kept until the server stops, because new mail settings need a restart.
  let testMailResult: SetupState['testMailResult'];
  let mailVerifiedAt = -Infinity;
  /** Logs in to the mail server, unless that succeeded within a minute. Returns the error. */
  const verifyMail = async (): Promise<string | undefined> => {
    if (config.SMTP_URL === undefined || performance.now() - mailVerifiedAt < MINUTE_MS)
      return undefined;
    const { createSmtpClient, MailError } = await import('#server/platform/mail/smtp-client.ts');
    const verified = createSmtpClient(config)!
      .verify()
      .then((): undefined => {
        mailVerifiedAt = performance.now();
        if (isConnectionError(testMailResult)) testMailResult = undefined;
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailError)) throw error;
        return error.code;
      });
    return Promise.race([verified, setTimeout(MAIL_LOGIN_MS, 'ETIMEDOUT', { ref: false })]);
  };
  return {
    getServer: async ({ accountId, readDb, getTranslator }) => {
      const t = getTranslator();
      const mailError = verifyMail();
      const [accounts, operators, storage, { version }, queues, openReports, ownEmail, unsynced] =
        await Promise.all([
          readAccountCounts(readDb, SIGN_UP_WEEKS),
          countOperators(readDb),
          readStorage(readDb),
          readServerState(readDb),
          readQueueStates(readDb),
          countOpenReports(readDb, LIMITS.countedReports),
          findOwnerAddress(readDb, accountId),
          readUnsyncedAliases(readDb, 1),
        ]);
      const { stuck, ...mail } = await readMails(readDb, queues);
      const lastBackup = await findLastBackup(readDb);
      const findings = listSetupFindings(t, config, {
        lastBackup,
        backupFolder: backups?.folder,
        backupShortage: await backups?.findShortage(),
        isOperatorAlone: operators.total === 1 && operators.reachable === 0,
        stuckMails: stuck,
        testMailResult: (await mailError) ?? testMailResult,
        forwardingError: formatStored(PROVIDER_ERRORS, unsynced.names[0]?.last_error ?? null, t),
        signOnError: await readSignOnError(readDb),
        hasEncryptionKey: secretBox !== undefined,
        contact: instanceStore.current.contact,
      });
      return {
        status: 200,
        body: {
          version: packageJson.version,
          database_version: version,
          started_at: STARTED_AT,
          url: config.PUBLIC_URL ?? null,
          accounts,
          storage: { ...storage, free_bytes: await readFreeBytes(dataDir) },
          mail,
          open_reports: openReports,
          last_backup_at: lastBackup.finished_at?.toISOString() ?? null,
          backups: backups ? await describeBackups(app, backups, queues) : null,
          own_email: ownEmail ?? null,
          setup: findings,
        },
      };
    },

    ...backupRoutes(app),

    sendTestMail: async ({ accountId, credential, db, body: { email }, getTranslator, refuse }) => {
      await requireRecentLogin(db, { accountId, credential });
      if (config.SMTP_URL === undefined) throw refuse('mailNotSetUp');
      const to = email ?? (await findOwnerAddress(db, accountId));
      if (to === undefined) throw refuse('emailMissing');
      if (!(await recordUnconfirmedMail(db, 'test', LIMITS.testMailsPerHour)))
        throw refuse('testMailLimitReached', retryAfter(HOUR_MS - (Date.now() % HOUR_MS)));
      const { createSmtpClient } = await import('#server/platform/mail/smtp-client.ts');
      const { submitTestMail } = await import('#server/features/mails/check-mail.ts');
      const code = await submitTestMail(createSmtpClient(config)!, db, {
        to,
        publicUrl: origin(),
        language: await findAccountLanguage(db, accountId),
      });
      testMailResult = code ?? 'accepted';
      mailVerifiedAt = code === null ? performance.now() : -Infinity;
      const action = { operatorId: accountId, action: 'mail test' };
      await inTransaction(db, (trx) =>
        runAuditedByOperator(trx, action, async (_trx, audit) =>
          audit({ detail: { result: testMailResult } }),
        ),
      );
      const problem = code === null ? null : explainMailError(getTranslator(), code);
      return { status: 200, body: { accepted: code === null, code, problem, email: to } };
    },
  };
}

async function readStorageSizes(db: ReadDatabase) {
  const { bytes, tables } = await readSizes(db, 1_000);
  const sizeOf = (table: string) => tables.find(({ name }) => name === table)?.bytes ?? 0;
  return {
    database_bytes: bytes,
    picture_bytes: sizeOf('pictures'),
    metric_bytes: sizeOf('metrics'),
  };
}

async function readMails(db: ReadDatabase, queues: QueueState[] | undefined) {
  const queue = queues?.find(({ kind }) => kind === 'mail');
  return {
    waiting: queue?.waiting ?? 0,
    retrying: queue?.awaiting_retry ?? 0,
    failed: queue?.failed ?? 0,
    stuck: queue?.awaiting_retry ? await findStuckMails(db) : NO_STUCK_MAILS,
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

/** Reads at most once per `milliseconds`. A failed read is not cached. */
function createCachedReader<Value>(
  milliseconds: number,
  read: (db: ReadDatabase) => Promise<Value>,
): (db: ReadDatabase) => Promise<Value> {
  let cached: { value: Promise<Value>; readAt: number } | undefined;
  return (db) => {
    const now = performance.now();
    if (cached && now - cached.readAt < milliseconds) return cached.value;
    const value = read(db);
    const entry = { value, readAt: now };
    cached = entry;
    value.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return value;
  };
}
