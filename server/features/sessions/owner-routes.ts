import type { sessions } from '#contract/owner/sessions.ts';
import type { SetupCode } from '#contract/owner/setup-finding.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { readAccountSettings } from '#db/queries/accounts.ts';
import { hasOtherLogin, listIdentities } from '#db/queries/identities.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findPageSuspensionReason, wasPageVisible } from '#db/queries/public-sites.ts';
import { listSessions } from '#db/queries/sessions.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId } from '#server/platform/caller.ts';
import { hasRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { createLogoutHeaders } from '#server/platform/http/access/session-cookie.ts';
import { type Handlers, WithHeaders } from '#server/platform/http/contract/register-contract.ts';
import { passkeyHost } from '#server/platform/settings/relying-party.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures, ToDoOwner } from '../define-feature.ts';
import type { React } from '../facts.ts';
import { completeFindings, type Finding } from '../finding.ts';
import { endSessions, revokeSession } from './end-session.ts';
import { serializeSession } from './session-response.ts';

const NOT_OPERATOR = {
  open_reports: null,
  waiting_applications: null,
  server_failing: null,
};

interface ToDoCaller extends ToDoOwner {
  isOperator: boolean;
}

/** The fields beside `to_do` are older. */
async function readToDo(
  db: ReadDatabase,
  features: AllFeatures,
  t: Translator,
  { isOperator: mayOperate, ...caller }: ToDoCaller,
) {
  const own = completeFindings(await features.listOwnToDo(db, caller, t));
  if (!mayOperate) return { to_do: own.map(asWarning), ...NOT_OPERATOR };
  const toDo = completeFindings(await features.listToDo(db, t));
  const countOf = (part: SetupCode) => toDo.find(({ code }) => code === part)?.count ?? 0;
  const failing = toDo.map(({ code }) => FAILING_PARTS[code]).find((part) => part !== undefined);
  return {
    to_do: [...own, ...toDo].map(asWarning),
    open_reports: countOf('reportsOpen'),
    waiting_applications: countOf('applicationsWaiting'),
    server_failing: failing ?? null,
  };
}

const asWarning = (finding: Finding) => ({ ...finding, level: 'warning' as const });

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
    getSession: async ({
      accountId,
      actorId,
      credential,
      scope,
      readDb,
      getTranslator,
      ...person
    }) => {
      const currentSessionId = sessionIdOf(credential);
      const sessions = currentSessionId === undefined ? [] : await listSessions(readDb, actorId);
      const session = sessions.find(({ id }) => id === currentSessionId);
      const operator = scope === 'operator' && (await isOperator(readDb, accountId));
      const caller = { accountId, actorId, isOperator: operator };
      const toDo = await readToDo(readDb, app.features, getTranslator(), caller);
      const isFresh = await hasRecentLogin(readDb, { credential });
      const settings = await readAccountSettings(readDb, accountId);
      const page_suspension_reason = await findPageSuspensionReason(readDb, accountId);
      const page_was_visible = await wasPageVisible(readDb, accountId);
      const can_log_in_again = await canLogInAgain(readDb, app, actorId);
      return {
        account_id: accountId,
        actor_id: actorId,
        key_id: credential.keyId ?? null,
        session: session ? serializeSession(session, currentSessionId) : null,
        login_age: isFresh ? 'fresh' : 'stale',
        operator,
        ...toDo,
        ...settings,
        language: person.language === undefined ? settings.language : person.language,
        page_suspension_reason,
        page_was_visible,
        can_log_in_again,
      };
    },

    revokeCurrentSession: async ({ actorId, credential, db }) => {
      const currentId = sessionIdOf(credential);
      if (currentId === undefined) return { success: true };
      await revokeSession(db, app, { accountId: actorId, sessionId: currentId, by: currentId });
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
