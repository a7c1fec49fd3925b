import { setTimeout } from 'node:timers/promises';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { Language } from '#contract/shared/languages.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { Translator } from '#translations/translator.ts';
import type { Finding } from '../finding.ts';
import { isConnectionError } from '../mails/explain-mail-error.ts';
import { listFindings, type SetupApp, type SetupState } from './findings.ts';

/** Some mail servers greet only after a few seconds. */
const MAIL_LOGIN_MS = 5_000;

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
