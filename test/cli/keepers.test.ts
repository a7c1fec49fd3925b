import { expect, it } from 'vitest';
import { addKeeper } from '../support/endpoints.ts';
import { setSuspended } from '../support/suspend.ts';
import { useServer } from '../support/use-server.ts';
import { failure, runCommand, runJson } from './support/command-line.ts';

const { server } = useServer();

const settings = () => ({ DATABASE_URL: server.database.url, PUBLIC_URL: 'http://localhost' });

async function createClub() {
  const club = await server.createAccount();
  const { account_id: owner } = await addKeeper(server, club, true);
  const { account_id: keeper } = await addKeeper(server, club);
  return { club: club.id, owner, keeper };
}

it('a command acts for an account whose owner is suspended, and hands it over', async () => {
  const { club, owner, keeper } = await createClub();
  await setSuspended(server, owner);
  const rename = ['account.updateDisplayName', '--display-name', 'rescued-club'];
  expect(await runJson(settings(), ...rename, '--account', club)).toMatchObject({ success: true });
  const transfer = ['keepers.transferAccount', '--account-id', keeper, '--account', club];
  expect(await runJson(settings(), ...transfer)).toEqual({ success: true });
  const owners = await server.sql`SELECT keeper_id FROM keepers
    WHERE account_id = ${club} AND is_owner`;
  expect(owners).toEqual([{ keeper_id: keeper }]);
});

it('a command acts for a kept account while keepers are off, but has no login of it', async () => {
  const { club } = await createClub();
  const off = { ...settings(), FEATURES_OFF: 'keepers' };
  expect(await runCommand(off, 'keys.listKeys', '--account', club)).toMatchObject({ code: 0 });
  const listed = await runCommand(off, 'sessions.listSessions', '--account', club);
  expect(listed).toEqual(failure(/^Only /));
});
