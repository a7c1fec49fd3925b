import { setTimeout } from 'node:timers/promises';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findChangedCollation, findForwardingError, hasOthers } from '#db/database-state.ts';
import { findClockJump } from '#db/queries/clock.ts';
import { findInstance, findMailServer } from '#db/queries/instance.ts';
import { findStuckMails, readQueueStates } from '#db/queries/jobs.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import { countOperators } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { countOtherPasskeys, hasPasskeyAt } from '#db/queries/passkeys.ts';
import type { Core } from '#server/core.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures } from '../define-feature.ts';
import type { Finding } from '../finding.ts';
import { isConnectionError } from '../mails/explain-mail-error.ts';
import { listFindings } from './findings.ts';

/** Some mail servers greet only after a few seconds. */
const MAIL_LOGIN_MS = 5_000;

/** `nameplate check` has no server. */
type SetupApp = Pick<Core, 'config' | 'dataDir' | 'mailServers'> & {
  features: Pick<AllFeatures, 'listFindings' | 'listToDo'>;
} & Partial<Pick<Core, 'server'>>;

export type StoredState = Awaited<ReturnType<typeof readStoredState>>;

export interface SetupState {
  app: SetupApp;
  /** Undefined if the database cannot be used. */
  stored: StoredState | undefined;
  mailError: string | undefined;
  /** `accepted`, or the error of the last test mail since the start. */
  testMailResult: string | undefined;
}

/** Does not create the encryption key. */
export function createSetup(app: SetupApp, mailLoginMs = MAIL_LOGIN_MS) {
  const { mailServers } = app;
  let testMailResult: string | undefined;
  let mailVerifiedAt = -Infinity;
  let testedServer = mailServers.current;
  /** Logs in to the mail server, unless that succeeded within a minute. */
  const findMailError = async (): Promise<string | undefined> => {
    const server = mailServers.current;
    if (server !== testedServer) {
      testedServer = server;
      testMailResult = undefined;
      mailVerifiedAt = -Infinity;
    }
    if (!server || performance.now() - mailVerifiedAt < MINUTE_MS) return undefined;
    const { verifyMailServer } = await import('../mails/test-mail.ts');
    const verified = verifyMailServer(mailServers, server).then((code) => {
      if (code !== undefined) return code;
      mailVerifiedAt = performance.now();
      if (isConnectionError(testMailResult)) testMailResult = undefined;
    });
    return Promise.race([verified, setTimeout(mailLoginMs, 'ETIMEDOUT', { ref: false })]);
  };
  return {
    /** `db` is undefined if the database cannot be used. */
    listFindings: async (
      t: Translator,
      db: ReadDatabase | undefined,
      stored: SetupState['stored'],
    ): Promise<Finding[]> => {
      const [mailError, toDo, findings] = await Promise.all([
        findMailError(),
        db ? app.features.listToDo(db, t) : [],
        app.features.listFindings(stored, t),
      ]);
      return listFindings({ app, stored, mailError, testMailResult }, { toDo, findings }, t);
    },
    /** Needs a mail server. Resolves to the code of the error, if any. */
    sendTestMail: async (
      db: ReadDatabase,
      mail: { to: string; publicUrl: string; language: Language },
    ): Promise<string | undefined> => {
      const { submitTestMail } = await import('../mails/test-mail.ts');
      testedServer = mailServers.current;
      const code = await submitTestMail(app, db, { ...mail, server: testedServer! });
      testMailResult = code ?? 'accepted';
      mailVerifiedAt = code === undefined ? performance.now() : -Infinity;
      return code;
    },
  };
}

/**
 * `publicUrl` is undefined if only the running server knows its address. `accountId` is the operator
 * who asks, if it is not a command.
 */
export async function readStoredState(
  db: ReadDatabase,
  config: Config,
  publicUrl: string | undefined,
  accountId?: string,
) {
  const host = publicUrl === undefined ? undefined : passkeyHost(config, publicUrl);
  const [operators, otherPasskeys, lastBackup, queues, forwardingError, instance] =
    await Promise.all([
      countOperators(db, host),
      countOtherPasskeys(db, host),
      findLastBackup(db),
      readQueueStates(db),
      findForwardingError(db),
      findInstance(db),
    ]);
  const mailQueue = queues?.find(({ kind }) => kind === 'mail');
  return {
    operators,
    clockJumpedAt: await findClockJump(db),
    // PostgreSQL 14, which `check` reports as too old, does not know the answer.
    changedCollation: await findChangedCollation(db).catch(() => undefined),
    otherPasskeys,
    lastBackup,
    queues,
    instance,
    hasOthers: await hasOthers(db),
    ...(accountId === undefined ? {} : await readLogin(db, accountId, host)),
    mailQueue,
    hasMailServer: (await findMailServer(db)) !== null,
    forwardingError,
    /** Mails that the mail server has not accepted yet, and one of its errors. */
    stuckMails: mailQueue?.awaiting_retry ? await findStuckMails(db) : { count: 0, error: null },
  };
}

async function readLogin(db: ReadDatabase, accountId: string, host: string | undefined) {
  const loginEmail = await findOwnerAddress(db, accountId);
  const hasSecondLogin = loginEmail !== undefined || (await hasPasskeyAt(db, accountId, host));
  return { loginEmail, hasSecondLogin };
}
