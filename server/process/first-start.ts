import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { hasAccount, listAccounts } from '../../db/queries/accounts.ts';
import { insertProject } from '../../db/queries/projects.ts';
import type { Database } from '../../db/schema.ts';
import { changesBy } from '../service/audit/change.ts';
import { whoRunsThis } from '../service/audit/who.ts';
import { insertAccountWithKey } from '../service/accounts/create-account.ts';
import { createLoginLink } from '../service/sessions/login-link.ts';

/** Holds the first key where it cannot be shown to a person alone. */
const FIRST_KEY_FILE = 'first-key';

/**
 * Makes one account with a key and a project if the database has no account at all, and returns what
 * to say about them. The key is never shown again: it is said on a terminal, with a link that logs in,
 * and else written into a file of the data folder that its owner alone can read. `url` is where the
 * server listens, `links` what links begin with. Undefined if there was an account.
 */
export async function introduce(
  db: Kysely<Database>,
  {
    folder,
    url,
    links,
    terminal,
  }: { folder: string; url: string; links: string; terminal: boolean },
): Promise<string[] | undefined> {
  const first = await makeFirstAccount(db);
  if (!first) return undefined;
  const shell = `export KEY=${first.apiKey} PROJECT=${first.projectId}`;
  const begin = ['', 'This is the first start, so an account with one project was made.'];
  if (!terminal) {
    const file = join(folder, FIRST_KEY_FILE);
    await writeFile(file, `${shell}\n`, { mode: 0o600 });
    return [
      ...begin,
      `Its API key is in ${file}, which you alone can read. Try the key:`,
      '',
      `  . ${file}`,
      `  curl -H "X-API-KEY: $KEY" ${url}/account/get-display-name`,
      '',
      'For a link that logs in to the dashboard:',
      '',
      `  npx nameplate login --account ${first.accountId}`,
      '',
    ];
  }
  return [
    ...begin,
    'To log in to its dashboard, open this link, which works once, within 10 minutes:',
    '',
    `  ${await createLoginLink(db, first.accountId, links)}`,
    '',
    'Its API key is shown only now:',
    '',
    `  ${first.apiKey}`,
    '',
    'Try the key:',
    '',
    `  curl -H 'X-API-KEY: ${first.apiKey}' ${url}/account/get-display-name`,
    '',
    'The examples of docs/api.md take key and project from the shell:',
    '',
    `  ${shell}`,
    '',
  ];
}

/** How to log in to the dashboard, or to make an account for that; the account is named if it is the only one. */
export async function describeLogin(db: Kysely<Database>): Promise<string[]> {
  const [account, ...others] = await listAccounts(db, { limit: 2 });
  if (!account)
    return ['There is no account yet. To make the first: npx nameplate accounts create'];
  const name = others.length === 0 ? (account.display_name ?? account.account_id) : 'NAME';
  return [`To log in to the dashboard: npx nameplate login --account ${name}`];
}

async function makeFirstAccount(db: Kysely<Database>) {
  if (await hasAccount(db)) return undefined;
  const change = changesBy(db, { who: whoRunsThis(), via: 'first start' });
  return change('accounts create', async (trx, about) => {
    const { account_id, api_key } = await insertAccountWithKey(trx);
    const project = await insertProject(trx, account_id, 'My first project');
    about({ account_id, project_id: project.id });
    return { accountId: account_id, apiKey: api_key, projectId: project.id };
  });
}
