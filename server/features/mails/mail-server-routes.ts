import { randomInt, timingSafeEqual } from 'node:crypto';
import {
  MAIL_TRY_REFUSALS,
  type mailServer,
  type mailServerChanges,
} from '#contract/owner/mail-server.ts';
import { DAY_MS, HOUR_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { Executor, ReadDatabase } from '#db/connections/handles.ts';
import { findAccountLanguage } from '#db/queries/accounts.ts';
import { saveInstance } from '#db/queries/instance.ts';
import { readQueueStates, retryMails } from '#db/queries/jobs.ts';
import { recordUnconfirmedMail } from '#db/queries/unconfirmed-mails.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { runAuditedByOperator } from '#server/platform/http/contract/audited-runner.ts';
import { describeMailError } from './explain-mail-error.ts';
import type {
  PendingMailServer,
  StoredMailServer,
} from '#server/platform/mail/mail-server-store.ts';
import type { Core } from '#server/core.ts';

const refuseAttempt = createRefuser(MAIL_TRY_REFUSALS);

type Routes = Handlers<typeof mailServer & typeof mailServerChanges>;

export function mailServerRoutes(app: Core): Routes {
  const { config, mailServers } = app;
  return {
    getMailServer: async ({ readDb }) => describeMailServer(readDb, app),

    listMailProviders: async ({ query: { email }, getTranslator }) => {
      const { findMailProviders, serializeProvider } = await import('./mail-providers.ts');
      const found = await findMailProviders(email, config.DNS_SERVERS);
      const providers = found.map((provider) => serializeProvider(provider, getTranslator()));
      return { providers };
    },

    checkMailServer: async ({ db, body, refuse, getTranslator, ...caller }) => {
      if (mailServers.isFromEnvironment) throw refuse('mailFromEnvironment');
      const obstacle = findObstacle(app);
      if (obstacle) throw refuse(obstacle);
      const { email, password: newPassword, ...fields } = body;
      const security: StoredMailServer['security'] = fields.port === 465 ? 'tls' : 'starttls';
      const tried = { ...fields, security, host: fields.host.toLowerCase() };
      const stored = await mailServers.findStored(db);
      const password = newPassword ?? findPassword([stored.pending, stored.server], tried);
      if (password === undefined) throw refuse('mailPasswordMissing');
      await countAttempt(db);
      const server: StoredMailServer = { ...tried, password };
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const { submitTestMail } = await import('./test-mail.ts');
      const error = await submitTestMail(app, db, {
        server,
        code,
        to: email,
        publicUrl: app.origin(),
        language: await findAccountLanguage(db, caller.accountId),
      });
      const { host, port, sender } = server;
      const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
      const sealed = mailServers.seal({ ...server, email, code, expiresAt });
      await runAuditedByOperator(db, caller, async (trx, audit) => {
        audit({ detail: { host, port, sender, result: error ?? 'accepted' } });
        if (error === undefined) await saveInstance(trx, { encrypted_pending_mail_server: sealed });
      });
      if (error !== undefined) {
        const { refusal, text: problem } = describeMailError(getTranslator(), error);
        throw refuse(refusal, { problem });
      }
      return describeMailServer(db, app);
    },

    updateMailServer: async ({ db, body: { code }, refuse, ...caller }) => {
      const { pending } = await mailServers.findStored(db);
      if (!pending) throw refuse('mailCodeExpired');
      const { email: _email, code: expected, expiresAt: _expiresAt, ...server } = pending;
      await countAttempt(db);
      if (!timingSafeEqual(Buffer.from(code), Buffer.from(expected))) throw refuse('mailCodeWrong');
      const sealed = mailServers.seal(server);
      await runAuditedByOperator(db, caller, async (trx, audit) => {
        const { host, port, sender } = server;
        audit({ detail: { host, port, sender } });
        const change = { encrypted_mail_server: sealed, encrypted_pending_mail_server: null };
        await saveInstance(trx, change);
        await retryMails(trx);
      });
      await mailServers.refresh();
      return describeMailServer(db, app);
    },

    deleteMailServer: async ({ db, refuse, ...caller }) => {
      const { isStored, pending } = await mailServers.findStored(db);
      if (!isStored && !pending) throw refuse('mailNotConnected');
      await runAuditedByOperator(db, caller, (trx) =>
        saveInstance(trx, { encrypted_mail_server: null, encrypted_pending_mail_server: null }),
      );
      await mailServers.refresh();
    },
  };
}

type MailServerApp = Pick<Core, 'config' | 'mailServers' | 'secretBox'>;

function findObstacle({
  config,
  secretBox,
}: MailServerApp): 'publicUrlMissing' | 'encryptionKeyMissing' | null {
  if (config.PUBLIC_URL === undefined) return 'publicUrlMissing';
  return secretBox ? null : 'encryptionKeyMissing';
}

/** Limits guesses of codes, and attempts that would use this server to scan others. */
async function countAttempt(db: Executor): Promise<void> {
  if (!(await recordUnconfirmedMail(db, 'test', LIMITS.mailTriesPerHour)))
    throw refuseAttempt('mailTryLimitReached', retryAfter(HOUR_MS - (Date.now() % HOUR_MS)));
}

/** A password is only sent to the server that it was entered for. */
function findPassword(
  known: readonly (StoredMailServer | undefined)[],
  { host, port, user }: Omit<StoredMailServer, 'password'>,
): string | undefined {
  return known.find(
    (server) => server?.host === host && server.port === port && server.user === user,
  )?.password;
}

async function describeMailServer(db: ReadDatabase, app: MailServerApp) {
  const { mailServers } = app;
  const { isFromEnvironment, current } = mailServers;
  const { isStored, server: stored, pending } = await mailServers.findStored(db);
  const server = isFromEnvironment ? current : stored;
  const { host = null, port = null, user = null, sender = null } = server ?? {};
  const source = isFromEnvironment ? ('environment' as const) : ('dashboard' as const);
  const mailQueue = (await readQueueStates(db))?.find(({ kind }) => kind === 'mail');
  return {
    mail_server:
      server || isStored
        ? { source, readable: server !== undefined, host, port, user, sender }
        : null,
    pending: pending && !isFromEnvironment ? serializePending(pending) : null,
    waiting: mailQueue?.waiting ?? 0,
    obstacle: findObstacle(app),
  };
}

function serializePending({ host, port, user, sender, email, expiresAt }: PendingMailServer) {
  return { host, port, user, sender, email, expires_at: expiresAt };
}
