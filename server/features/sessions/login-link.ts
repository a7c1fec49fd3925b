import { ACCOUNT_KEPT_REFUSALS } from '#contract/owner/keepers.ts';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import type { Executor } from '#db/connections/handles.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import { findOwnerId } from '#db/queries/keepers.ts';
import { insertLoginLink } from '#db/queries/login-links.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { createToken, hashToken } from '#server/platform/secrets/token.ts';

const refuse = createRefuser(ACCOUNT_KEPT_REFUSALS);

/** For a link that an operator passes on to another person. */
export const VALID_FOR_AN_HOUR = { minutes: 60 };

/**
 * The link can be used once. Its token is in the fragment, which browsers do
 * not send to servers.
 */
export async function createLoginLink(
  db: Executor,
  accountId: string,
  origin: string,
  { isMailed = false, minutes = LOGIN_LINK_MINUTES } = {},
): Promise<string> {
  if (await findOwnerId(db, accountId)) throw refuse('accountKept');
  const token = createToken();
  await insertLoginLink(db, { accountId, tokenHash: hashToken(token), isMailed, minutes });
  const name = await findDisplayName(db, accountId);
  // The name is only shown, so that people with several accounts know which one they open.
  return `${origin}/dashboard/login#${token}${name === undefined ? '' : `/${name}`}`;
}
