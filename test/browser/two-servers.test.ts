import { expect, it } from 'vitest';
import { logoutJob } from '#server/features/oauth/logout-job.ts';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import { createOperator } from '../support/endpoints.ts';
import { runJobs } from '../support/run-jobs.ts';
import { setSuspended } from '../support/suspend.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useShared } from '../support/use-shared.ts';
import { openSignedIn, startListeningApp } from './support/listening-app.ts';

/** A club's server, and one of its board whose members sign in with it. */
const servers = useShared(async (onFinished) => {
  const club = await startListeningApp(onFinished);
  const operator = await createOperator(club);
  const { client, client_secret } = await operator.owner.clients.createClient({
    name: 'Board',
    redirect_uris: ['http://127.0.0.1/'],
  });
  const signOn = createSignOn({
    OIDC_ISSUER: club.origin,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client_secret!,
    OIDC_NAME: 'the club',
    OIDC_ALLOWED_GROUPS: ['operators'],
    OIDC_ALLOWED_DOMAINS: [],
    OIDC_OPERATOR_GROUP: 'operators',
    REGISTRATION: 'invite',
  })!;
  const board = await startListeningApp(onFinished, { signOn }, '127.0.0.1');
  await operator.owner.clients.updateClient({
    client_id: client.id,
    redirect_uris: [`${board.origin}/dashboard/sign-on/callback`],
    backchannel_logout_uri: `${board.origin}/dashboard/sign-on/logout`,
  });
  return { club, board };
});

async function signInAtBoard(account: TestAccount) {
  const { club, board } = servers();
  const page = await openSignedIn(club, account.id);
  await page.goto(`${board.origin}/dashboard/`);
  await page.getByRole('link', { name: 'Sign in with the club' }).click();
  await page.getByRole('heading', { name: 'Sign in to Board' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

it('a member of one server signs in at another one, and is out there when suspended', async () => {
  const { club, board } = servers();
  const account = await createOperator(club, 'mira');
  const page = await signInAtBoard(account);
  await page.waitForURL(`${board.origin}/dashboard/`);
  const [identity] = await board.sql<{ account_id: string }>`SELECT account_id FROM identities`;
  expect(await board.sql`SELECT account_id FROM operators`).toEqual([identity]);

  await setSuspended(club, account.id);
  await runJobs(club.database, logoutJob, club.nameplate);
  expect(await board.sql`SELECT FROM sessions`).toEqual([]);
});

it('members outside the group are refused there, also those who leave it', async () => {
  const { club, board } = servers();
  const jonas = await signInAtBoard(await club.createNamedAccount('jonas'));
  await jonas.getByText('groups_not_allowed').waitFor();

  const account = await createOperator(club, 'kim');
  const page = await signInAtBoard(account);
  await page.waitForURL(`${board.origin}/dashboard/`);
  const countOperators = async () => (await board.sql`SELECT FROM operators`).length;
  const before = await countOperators();
  await club.sql`DELETE FROM operators WHERE account_id = ${account.id}`;
  await page.goto(`${board.origin}/dashboard/sign-on`);
  await page.getByText('Your account at the club may not sign in here').waitFor();
  expect(await countOperators()).toBe(before - 1);
});
