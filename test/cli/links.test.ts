import { expect, it } from 'vitest';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { startServer } from '../support/server-process.ts';
import { openEmbeddedTestDatabase } from '../support/test-database.ts';
import { createDatabase, runCommand, runJson } from './support/command-line.ts';

const GUESSED_URL_MESSAGE =
  'The link uses http://localhost:4000, from HOST and PORT. Set PUBLIC_URL if the server has another address.\n';

const PUBLIC = { PUBLIC_URL: 'https://names.example.org' };
const GUESSED = { origin: 'http://localhost:4000', stderr: GUESSED_URL_MESSAGE };
const CONFIGURED = { origin: PUBLIC.PUBLIC_URL, stderr: '' };

/** Runs `login`. Returns the origin of its link and what it prints to stderr. */
async function readLink(settings: Record<string, string>) {
  const { members } = (await runJson(settings, 'members.listMembers')) as {
    members: { id: string }[];
  };
  const { stdout, stderr } = await runCommand(settings, 'login', '--json');
  const login = JSON.parse(stdout) as { account_id: string; login_url: string };
  // Without an account, the link is for the first operator.
  expect(members).toMatchObject([{ id: login.account_id }]);
  return { origin: new URL(login.login_url).origin, stderr };
}

it('the link of the login command begins with the server’s PUBLIC_URL, even if the command has none', async () => {
  const settings = { DATA_DIR: await copyDataDir() };
  await startServer({ ...settings, ...PUBLIC });
  expect(await readLink(settings)).toEqual(CONFIGURED);
});

it('the link of the login command is guessed from HOST and PORT while no server is running, with a message', async () => {
  const DATA_DIR = await copyDataDir();
  // Keeps the embedded database running, so that commands do not restart it.
  const database = await openEmbeddedTestDatabase(DATA_DIR);
  expect(await readLink({ DATA_DIR, PORT: '4000' })).toEqual(GUESSED);
  await database.close();
});

it('the link of the login command is guessed with an external PostgreSQL server, unless PUBLIC_URL is set', async () => {
  const { settings } = await createDatabase();
  await runJson(settings, 'members.createMember');
  expect(await readLink({ ...settings, PORT: '4000' })).toEqual(GUESSED);
  expect(await readLink({ ...settings, ...PUBLIC })).toEqual(CONFIGURED);
});
