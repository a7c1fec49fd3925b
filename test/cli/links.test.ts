import { describe, expect, it } from 'vitest';
import { listInvitations } from '#db/queries/invitations.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { startServer } from '../support/server-process.ts';
import { openEmbeddedTestDatabase } from '../support/test-database.ts';
import { createDatabase, runCommand, runJson } from './support/command-line.ts';

const GUESSED_URL_MESSAGE =
  'The link uses http://localhost:4000, from HOST and PORT. Set PUBLIC_URL if the server has another address.\n';

const PUBLIC = { PUBLIC_URL: 'https://names.example.org' };
/** The results of `readLinks`. */
const GUESSED = {
  origins: Array(2).fill('http://localhost:4000'),
  stderr: Array(2).fill(GUESSED_URL_MESSAGE),
};
const CONFIGURED = { origins: Array(2).fill(PUBLIC.PUBLIC_URL), stderr: ['', ''] };

/** Runs `login` and `invite`. Returns the origins of their links and what they print to stderr. */
async function readLinks(settings: Record<string, string>) {
  const [{ account_id } = { account_id: '' }] = (await runJson(settings, 'operators', 'list')) as {
    account_id: string;
  }[];
  // Without an account, the link is for the first operator.
  const login = await runCommand(settings, 'login', '--json');
  expect(JSON.parse(login.stdout)).toMatchObject({ account_id });
  const invite = await runCommand(settings, 'invite', '--json');
  const { login_link: loginLink } = JSON.parse(login.stdout) as Record<string, string>;
  const { invitation_link: invitation } = JSON.parse(invite.stdout) as Record<string, string>;
  return {
    origins: [loginLink, invitation].map((link = '') => new URL(link).origin),
    stderr: [login.stderr, invite.stderr],
  };
}

describe('links printed by commands', () => {
  it('begin with the server’s PUBLIC_URL, even if the command has none', async () => {
    const settings = { DATA_DIR: await copyDataDir() };
    await startServer({ ...settings, ...PUBLIC });
    expect(await readLinks(settings)).toEqual(CONFIGURED);
  });

  it('are guessed from HOST and PORT while no server is running, with a message', async () => {
    const DATA_DIR = await copyDataDir();
    // Keeps the embedded database running, so that commands do not restart it.
    const database = await openEmbeddedTestDatabase(DATA_DIR);
    expect(await readLinks({ DATA_DIR, PORT: '4000' })).toEqual(GUESSED);
    await database.close();
  });

  it('are guessed with an external PostgreSQL server, unless PUBLIC_URL is set', async () => {
    const { settings } = await createDatabase();
    await runJson(settings, 'accounts', 'create');
    expect(await readLinks({ ...settings, PORT: '4000' })).toEqual(GUESSED);
    expect(await readLinks({ ...settings, ...PUBLIC })).toEqual(CONFIGURED);
  });

  it('can be used by several people', async () => {
    const { settings, db } = await createDatabase();
    const { stdout } = await runCommand(settings, 'invite', '--people', '30', '--days', '3');
    expect(stdout).toContain('Anyone with the link can use it, up to 30 people.');
    expect(await listInvitations(db, { limit: 9 })).toMatchObject([{ max_uses: 30, uses: 0 }]);
  });
});
