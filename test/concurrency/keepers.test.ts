import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { recordLeaver } from '#server/features/sign-on/leaver.ts';
import { call, type TestResponse } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { addIdentity, addKeeper, createOperator } from '../support/endpoints.ts';
import { errorCode } from '../support/expected-responses.ts';
import { createImage } from '../support/pictures.ts';
import { logIn } from '../support/session.ts';
import { startTwoServers } from './support/two-servers.ts';

const servers = await startTwoServers();
afterAll(() => servers.close());
const { first, second, separateConnections } = servers;
const operator = await createOperator(first);

/** An account with an owner and keepers, all signed in. */
async function addClub(keepers = 1) {
  const { id } = await first.createAccount();
  const people: { id: string; session: Record<string, string> }[] = [];
  for (let index = 0; index <= keepers; index += 1) {
    const person = await addKeeper(first, { id }, index === 0);
    people.push({ id: person.account_id, session: await logIn(first, person.account_id) });
  }
  const [owner, ...others] = people;
  return { id, owner: owner!, keepers: others };
}

type Club = Awaited<ReturnType<typeof addClub>>;

let turn = 0;

/** Calls the two servers in turn. */
function act(
  club: Club,
  { session }: Club['owner'],
  path: string,
  json: object,
): Promise<TestResponse> {
  turn += 1;
  const headers = { ...session, 'nameplate-account': club.id };
  return call((turn % 2 ? first : second).app, { method: 'POST', path, json, headers });
}

const leave = (club: Club, person: Club['owner']) =>
  act(club, person, '/owner/keepers/remove-keeper', { account_id: person.id });

/** Starts the changes while another transaction holds the lock on the account. */
async function whileAccountLocked<Result = TestResponse>(
  { id }: Club,
  start: () => Promise<Result>[],
  change = sql`SELECT`,
): Promise<Result[]> {
  const { db } = separateConnections;
  const { pending } = await db.transaction().execute(async (trx) => {
    await sql`SELECT FROM accounts WHERE id = ${id} FOR NO KEY UPDATE`.execute(trx);
    const requests = start();
    await waitForBlockedQuery(db, requests.length);
    await change.execute(trx);
    return { pending: Promise.all(requests) };
  });
  return pending;
}

function readKeepers({ id }: Club): Promise<{ keeper_id: string; is_owner: boolean }[]> {
  return first.sql`SELECT keeper_id, is_owner FROM keepers WHERE account_id = ${id}`;
}

/** Keepers who can sign in. */
async function countUsable({ id }: Club): Promise<number> {
  const usable = await first.sql`SELECT FROM keepers JOIN accounts ON accounts.id = keeper_id
    WHERE account_id = ${id} AND suspended_at IS NULL AND closed_at IS NULL`;
  return usable.length;
}

it('a keeper who is removed while saving changes nothing', async () => {
  const club = await addClub();
  const [keeper] = club.keepers;
  const save = () => [
    act(club, keeper!, '/account/update-display-name', { display_name: 'too-late' }),
  ];
  const removal = sql`DELETE FROM keepers WHERE keeper_id = ${keeper!.id}`;
  const [response] = await whileAccountLocked(club, save, removal);
  expect(response).toMatchObject(errorCode(403, 'accountNotKept'));
  expect(await first.sql`SELECT FROM display_names WHERE name = 'too-late'`).toEqual([]);
});

it('a keeper who is removed while a picture is decoded uploads nothing', async () => {
  const club = await addClub();
  const [keeper] = club.keepers;
  const headers = {
    ...keeper!.session,
    'nameplate-account': club.id,
    'content-type': 'image/png',
  };
  const payload = await createImage().png().toBuffer();
  const path = '/owner/pictures/upload-picture';
  const upload = () => [call(first.app, { method: 'POST', path, payload, headers })];
  const removal = sql`DELETE FROM keepers WHERE keeper_id = ${keeper!.id}`;
  const [response] = await whileAccountLocked(club, upload, removal);
  expect(response).toMatchObject(errorCode(403, 'accountNotKept'));
  expect(await first.sql`SELECT FROM pictures WHERE account_id = ${club.id}`).toEqual([]);
});

it('of leaving and getting the account at the same time, one happens', async () => {
  for (let round = 0; round < 4; round += 1) {
    const club = await addClub();
    const [keeper] = club.keepers;
    const json = { account_id: keeper!.id };
    const transfer = () => act(club, club.owner, '/owner/keepers/transfer-account', json);
    const responses = await whileAccountLocked(club, () =>
      round % 2 ? [transfer(), leave(club, keeper!)] : [leave(club, keeper!), transfer()],
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect([200, [404, 409].includes(statuses[1]!)]).toEqual([statuses[0], true]);
    const owners = (await readKeepers(club)).filter(({ is_owner }) => is_owner);
    expect(owners).toHaveLength(1);
  }
});

it('two keepers who leave an account of a suspended owner at the same time do not abandon it', async () => {
  const club = await addClub(2);
  await first.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${club.owner.id}`;
  const responses = await whileAccountLocked(club, () =>
    club.keepers.map((keeper) => leave(club, keeper)),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await readKeepers(club)).toHaveLength(2);
});

const CHANGES: Record<string, (club: Club, person: Club['owner']) => Promise<TestResponse>> = {
  'a leave': leave,
  'a suspension': (_club, { id: account_id }) => {
    const { key } = operator;
    const json = { account_id, reason: 'Spam' };
    return call(second.app, { method: 'POST', path: '/owner/members/suspend-member', key, json });
  },
  'a deletion': (_club, { id: confirm, session: headers }) => {
    const path = '/owner/account/delete-account';
    return call(first.app, { method: 'POST', path, json: { confirm }, headers });
  },
};

it.each([
  ['a suspension', 'a leave'],
  ['a suspension', 'a suspension'],
  ['a suspension', 'a deletion'],
  ['a deletion', 'a leave'],
])('of %s of the owner and %s of the last other keeper, one happens', async (one, other) => {
  for (const isReversed of [false, true]) {
    const club = await addClub();
    const [keeper] = club.keepers;
    const responses = await whileAccountLocked(club, () => {
      const starts = [() => CHANGES[one]!(club, club.owner), () => CHANGES[other]!(club, keeper!)];
      return (isReversed ? starts.toReversed() : starts).map((start) => start());
    });
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await countUsable(club)).toBe(1);
  }
});

it('single sign-on does not suspend the last keeper while the other one leaves', async () => {
  const club = await addClub();
  const [keeper] = club.keepers;
  const { id: account_id } = club.owner;
  const id = await addIdentity(first, club.owner);
  const options = { provider: 'Acme ID', suspends: true };
  await whileAccountLocked<unknown>(club, () => [
    inTransaction(second.db, (trx) =>
      recordLeaver(trx, second.nameplate, { id, account_id }, options),
    ),
    leave(club, keeper!),
  ]);
  expect(await countUsable(club)).toBe(1);
});
