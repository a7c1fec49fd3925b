import type { login } from '../../../contract/owner/session.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { Guarding } from '../../http/guard.ts';
import { fewAtATime } from '../../service/few-at-a-time.ts';
import { beginByKey, beginByLink } from '../../service/sessions/begin-session.ts';
import type { VisitorContext } from '../run-open.ts';
import { begunSession } from '../session-fields.ts';

export function loginRoutes({
  authentication,
  cookie,
}: Pick<Guarding, 'authentication' | 'cookie'>): Handlers<typeof login, VisitorContext> {
  // Anybody can make up links that look right.
  const inTurn = fewAtATime('logins');
  return {
    createSession: async ({ db, agent, body: { link = '', apiKey }, refuse }) => {
      const begun = await inTurn(() =>
        apiKey === undefined
          ? beginByLink(db, link, agent)
          : beginByKey(db, authentication, apiKey, agent),
      );
      if (!begun) throw refuse('loginRefused');
      return begunSession(begun, cookie);
    },
  };
}
