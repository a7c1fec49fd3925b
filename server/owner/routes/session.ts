import type { session } from '../../../contract/owner/session.ts';
import { deleteSession, deleteSessions, listSessions } from '../../../db/queries/sessions.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { SessionCookie } from '../../http/session-cookie.ts';
import type { Caller } from '../../service/caller.ts';
import { loggedOut } from '../logged-out.ts';
import { sessionFields } from '../session-fields.ts';

export function sessionRoutes(cookie: SessionCookie): Handlers<typeof session> {
  return {
    getSession: async ({ accountId, via, db }) => {
      const current = sessionOf(via);
      const sessions = current === undefined ? [] : await listSessions(db, accountId);
      const found = sessions.find(({ id }) => id === current);
      return {
        status: 200,
        body: {
          account_id: accountId,
          key_id: via.keyId ?? null,
          session: found ? sessionFields(found, current) : null,
        },
      };
    },

    endSession: async ({ accountId, via, db }) => {
      const current = sessionOf(via);
      if (current === undefined) return { status: 200, body: { success: true } };
      await deleteSession(db, accountId, current);
      return { status: 200, body: { success: true }, headers: loggedOut(cookie) };
    },

    listSessions: async ({ accountId, via, db }) => {
      const sessions = await listSessions(db, accountId);
      return {
        status: 200,
        body: { sessions: sessions.map((each) => sessionFields(each, sessionOf(via))) },
      };
    },

    revokeSession: async ({ accountId, body, db, refuse }) => {
      if (!(await deleteSession(db, accountId, body.sessionId))) throw refuse('sessionUnknown');
      return { status: 200, body: { success: true } };
    },

    revokeAllSessions: async ({ accountId, via, db }) => {
      await deleteSessions(db, accountId);
      return {
        status: 200,
        body: { success: true },
        ...(via.kind === 'session' && { headers: loggedOut(cookie) }),
      };
    },
  };
}

function sessionOf(via: Caller['via']): string | undefined {
  return via.kind === 'session' ? via.sessionId : undefined;
}
