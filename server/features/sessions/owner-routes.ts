import type { sessions } from '#contract/owner/sessions.ts';
import type { SetupCode } from '#contract/owner/setup-finding.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { readAccountSettings, lockAccount } from '#db/queries/accounts.ts';
import { hasOtherLogin, listIdentities } from '#db/queries/identities.ts';
import { deleteLoginLinks } from '#db/queries/login-links.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findPageSuspensionReason, wasPageVisible } from '#db/queries/public-sites.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { listSessions, deleteSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId } from '#server/platform/caller.ts';
import { hasRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { createLogoutHeaders } from '#server/platform/http/access/session-cookie.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures } from '../define-feature.ts';
import { storeEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import { completeFindings } from '../finding.ts';
import { serializeSession } from './session-response.ts';

const NO_TO_DO = {
  to_do: [],
  open_reports: null,
  waiting_applications: null,
  server_failing: null,
};

/** The fields beside `to_do` are older. */
async function readToDo(db: ReadDatabase, features: AllFeatures, t: Translator) {
  const toDo = completeFindings(await features.listToDo(db, t));
  const countOf = (part: SetupCode) => toDo.find(({ code }) => code === part)?.count ?? 0;
  const failing = toDo.map(({ code }) => FAILING_PARTS[code]).find((part) => part !== undefined);
  return {
    to_do: toDo.map((finding) => ({ ...finding, level: 'warning' as const })),
    open_reports: countOf('reportsOpen'),
    waiting_applications: countOf('applicationsWaiting'),
    server_failing: failing ?? null,
  };
}

const FAILING_PARTS: Readonly<Partial<Record<SetupCode, 'backup' | 'mail' | 'addresses'>>> = {
  backupFailed: 'backup',
  mailFailing: 'mail',
  groupAddressUnread: 'addresses',
};

export function sessionRoutes(
  app: Core & { features: AllFeatures; react: React },
): Handlers<typeof sessions> {
  const { sessionCookie } = app;
  return {
    getSession: async ({ accountId, credential, scope, readDb, getTranslator }) => {
      const currentSessionId = sessionIdOf(credential);
      const sessions = currentSessionId === undefined ? [] : await listSessions(readDb, accountId);
      const session = sessions.find(({ id }) => id === currentSessionId);
      const operator = scope === 'operator' && (await isOperator(readDb, accountId));
      const toDo = operator ? await readToDo(readDb, app.features, getTranslator()) : NO_TO_DO;
      const isFresh = await hasRecentLogin(readDb, { accountId, credential });
      const settings = await readAccountSettings(readDb, accountId);
      const page_suspension_reason = await findPageSuspensionReason(readDb, accountId);
      const page_was_visible = await wasPageVisible(readDb, accountId);
      const can_log_in_again = await canLogInAgain(readDb, app, accountId);
      return {
        account_id: accountId,
        key_id: credential.keyId ?? null,
        session: session ? serializeSession(session, currentSessionId) : null,
        login_age: isFresh ? 'fresh' : 'stale',
        operator,
        ...toDo,
        ...settings,
        page_suspension_reason,
        page_was_visible,
        can_log_in_again,
      };
    },

    revokeCurrentSession: async ({ accountId, credential, db }) => {
      const currentId = sessionIdOf(credential);
      if (currentId === undefined) return { success: true };
      await revokeSession(db, app, { accountId, sessionId: currentId, by: currentId });
      return new WithHeaders(createLogoutHeaders(sessionCookie), { success: true });
    },

    listSessions: async ({ accountId, credential, readDb }) => {
      const sessions = await listSessions(readDb, accountId);
      return {
        sessions: sessions.map((session) => serializeSession(session, sessionIdOf(credential))),
      };
    },

    revokeSession: async ({
      accountId,
      credential,
      body: { session_id: sessionId },
      db,
      refuse,
    }) => {
      const by = credentialId(credential);
      const ended = await revokeSession(db, app, { accountId, sessionId, by });
      if (!ended) throw refuse('sessionNotFound');
    },

    revokeAllSessions: async ({ accountId, credential, db }) => {
      await endSessions(db, app, { accountId, by: credentialId(credential) });
      return new WithHeaders(
        credential.kind === 'session' ? createLogoutHeaders(sessionCookie) : {},
        { success: true },
      );
    },
  };
}

async function canLogInAgain(db: ReadDatabase, app: Core, accountId: string): Promise<boolean> {
  const ways = {
    canMailLinks: app.outbox.isAvailable,
    passkeyHost: passkeyHost(app.config, app.origin()),
  };
  if (await hasOtherLogin(db, accountId, ways)) return true;
  return (await listIdentities(db, accountId)).length > 0;
}

function sessionIdOf(credential: Caller['credential']): string | undefined {
  return credential.kind === 'session' ? credential.sessionId : undefined;
}

type SessionApp = Pick<Core, 'allowances'> & { react: React };

/**
 * Resolves to false if the account has no such session. If the session is not the one in `by`, the
 * login links of the account are deleted, too.
 */
export async function revokeSession(
  trx: Transaction,
  app: SessionApp,
  { accountId, sessionId, by }: { accountId: string; sessionId: string; by: string },
): Promise<boolean> {
  await lockAccount(trx, accountId);
  if (!(await deleteOwnRow(trx, 'sessions', { accountId, id: sessionId }))) return false;
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: false });
  const isCurrentSession = by === sessionId;
  if (!isCurrentSession) await deleteLoginLinks(trx, accountId);
  const type = isCurrentSession ? 'logged_out' : 'session_ended';
  const detail = { session_id: sessionId, by };
  await storeEvent(trx, app, { accountId, type, detail });
  return true;
}

async function endSessions(
  trx: Transaction,
  app: SessionApp,
  { accountId, by }: { accountId: string; by: string },
): Promise<void> {
  await lockAccount(trx, accountId);
  await deleteLoginLinks(trx, accountId);
  const sessions = await deleteSessions(trx, accountId);
  await app.react(trx, 'sessionsEnded', { accountId, everywhere: true });
  if (sessions === 0) return;
  await storeEvent(trx, app, { accountId, type: 'sessions_ended', detail: { sessions, by } });
}
