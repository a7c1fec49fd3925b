import { RECENT_LOGIN_REFUSALS } from '#contract/recent-login.ts';
import { APP_REFUSALS, AUTHORIZATION_REFUSALS } from '#contract/request-refusals.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findLoginAge } from '#db/queries/sessions.ts';
import type { LoginScope } from '#db/schema.ts';
import type { Caller } from '#server/platform/caller.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser({ ...RECENT_LOGIN_REFUSALS, ...AUTHORIZATION_REFUSALS });
const refuseApp = createRefuser(APP_REFUSALS);

/** A session needs a recent login, because somebody else may be using the browser by now. */
export async function requireRecentLogin(
  db: ReadDatabase,
  caller: Pick<Caller, 'credential'>,
): Promise<void> {
  if (caller.credential.kind === 'grant') throw refuseApp('reauthenticationRequired');
  if (!(await hasRecentLogin(db, caller))) throw refuse('reauthenticationRequired');
}

/**
 * Required to add a login method. In an operator's account, the caller also needs the scope
 * `operator`. Otherwise, the new login would have more rights than the key that added it.
 */
export async function requirePermissionToAddLogin(
  db: ReadDatabase,
  caller: Pick<Caller, 'accountId' | 'credential' | 'scope'>,
): Promise<void> {
  await requireRecentLogin(db, caller);
  await requireLoginScope(db, caller);
}

/** Resolves to the scope of the new login, which never exceeds that of the caller. */
export async function requireLoginScope(
  db: ReadDatabase,
  { accountId, scope }: Pick<Caller, 'accountId' | 'scope'>,
): Promise<LoginScope> {
  if (scope === 'operator') return scope;
  if (await isOperator(db, accountId))
    throw refuse('insufficientScope', { scope, required: 'operator' });
  return 'all';
}

/** API keys and commands always count as a recent login, connected apps never. */
export async function hasRecentLogin(
  db: ReadDatabase,
  { credential }: Pick<Caller, 'credential'>,
): Promise<boolean> {
  return (
    credential.kind === 'key' ||
    credential.kind === 'command' ||
    (credential.kind === 'session' && (await findLoginAge(db, credential.sessionId)) === 'fresh')
  );
}
