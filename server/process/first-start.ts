import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGIN_LINK_MINUTES } from '#contract/shared/durations.ts';
import type { Database, ReadDatabase } from '#db/connections/handles.ts';
import { hasAnyAccount, listAccounts, updateAccountSettings } from '#db/queries/accounts.ts';
import { insertProject } from '#db/queries/projects.ts';
import {
  createAuditedRunner,
  describeOsUser,
} from '#server/platform/http/contract/audited-runner.ts';
import { insertAccountWithKey } from '../features/accounts/create-account.ts';
import { FIRST_KEY_FILE } from '../features/keys/first-key-file.ts';
import { createLoginLink } from '../features/sessions/login-link.ts';
import { type CommandSettings, formatCommand } from '../platform/settings/format-command.ts';

/**
 * If the database has no account, creates an operator account with an API key and a project.
 * Resolves to the lines to print. `url` is the listening address, and `linkBaseUrl` is the base
 * URL for login links.
 */
export async function createFirstLogin(
  db: Database,
  {
    folder,
    url,
    linkBaseUrl,
    settings,
  }: {
    folder: string;
    url: string;
    linkBaseUrl: string;
    settings: CommandSettings;
  },
): Promise<string[] | undefined> {
  const account = await createFirstAccount(db);
  if (!account) return undefined;
  // The key is never printed, because output often ends up in logs.
  const file = join(folder, FIRST_KEY_FILE);
  const shell = `export NAMEPLATE_API_KEY=${account.apiKey} PROJECT=${account.projectId}`;
  await writeFile(file, `${shell}\n`, { mode: 0o600 });
  const link = await createLoginLink(db, account.accountId, linkBaseUrl);
  const edge = '─'.repeat(link.length + 4);
  return [
    '',
    `This is the first start. Open this link to log in as the operator (once, within ${LOGIN_LINK_MINUTES} minutes):`,
    '',
    `┌${edge}┐`,
    `│  ${link}  │`,
    `└${edge}┘`,
    '',
    'For a new link:',
    '',
    `  ${formatCommand(settings, `login --account ${account.accountId}`)}`,
    '',
    `For scripts, an API key and a project are in ${file}, which only you can read:`,
    '',
    `  . ${file}`,
    `  curl -H "X-API-KEY: $NAMEPLATE_API_KEY" ${url}/account/get-display-name`,
    '',
    'Copy both: the file is deleted within an hour after the first use of the key.',
    '',
  ];
}

export async function getLoginHints(
  db: ReadDatabase,
  settings: CommandSettings,
): Promise<string[]> {
  const [account] = await listAccounts(db, 1);
  return [
    account
      ? `To log in to the dashboard: ${formatCommand(settings, 'login')}`
      : `There is no account yet. To create one: ${formatCommand(settings, 'members.createMember')}`,
  ];
}

async function createFirstAccount(db: Database) {
  if (await hasAnyAccount(db)) return undefined;
  const runAudited = createAuditedRunner(db, { who: describeOsUser(), via: 'first start' });
  return runAudited('members.createMember', async (trx, audit) => {
    const { account_id, api_key } = await insertAccountWithKey(trx);
    // The key of the first start is for scripts. Operators turn the tools on in Settings.
    await updateAccountSettings(trx, account_id, { developer_tools: false });
    const project = await insertProject(trx, account_id, 'My first project');
    audit({ account_id, project_id: project.id });
    return { accountId: account_id, apiKey: api_key, projectId: project.id };
  });
}
