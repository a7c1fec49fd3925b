import type { ReadDatabase } from '#db/connections/handles.ts';
import { findForwarding } from '#db/queries/forwarding-settings.ts';
import type { Translator } from '#translations/translator.ts';
import type { NewFinding } from '../finding.ts';

export async function findUnconfirmedInbox(
  db: ReadDatabase,
  accountId: string,
  t: Translator,
): Promise<NewFinding | undefined> {
  const forwarding = await findForwarding(db, accountId);
  if (!forwarding?.enabled) return undefined;
  const { pending_email, confirmed } = forwarding;
  const email = pending_email ?? (confirmed === false ? forwarding.email : null);
  if (email === null) return undefined;
  const title = t('{email} is not confirmed yet', { email });
  const text = t('Open the link in the mail that was sent there. Nothing is forwarded before.');
  return { code: 'inboxUnconfirmed', level: 'warning', title, text, count: 1, path: 'mail' };
}
