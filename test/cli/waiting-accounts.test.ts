import { expect, it } from 'vitest';
import { addApplication } from '../support/endpoints.ts';
import { useServer } from '../support/use-server.ts';
import { failure, runCommand, runJson } from './support/command-line.ts';

const { server } = useServer();

it('commands do not act for an account that waits for a decision', async () => {
  const settings = { DATABASE_URL: server.database.url, PUBLIC_URL: 'http://localhost' };
  const { id } = await addApplication(server, { name: 'ada-waits' });
  for (const args of [
    ['account.deleteAccount', '--confirm', id],
    ['account.updateDisplayName', '--display-name', 'other-name'],
    ['keys.createKey'],
    ['login'],
  ])
    for (const account of ['ada-waits', id])
      expect(await runCommand(settings, ...args, '--account', account)).toEqual(
        failure('This account waits for a decision. Approve or decline it first.'),
      );
  expect(await runJson(settings, 'members.getMember', '--account', 'ada-waits')).toMatchObject({
    member: { id, display_name: 'ada-waits', state: 'waiting' },
  });
});
