import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAddressChanges } from '#db/queries/addresses.ts';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { hashToken } from '#server/platform/secrets/token.ts';
import { runMaintenance } from '#server/process/maintenance.ts';
import { useForwarding } from '../forwarding/use-forwarding.ts';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createOperator } from '../support/endpoints.ts';
import { errorCode, errorText, okBody } from '../support/expected-responses.ts';
import { postFromPage } from '../support/session.ts';
import { openTestApp, type TestAccount } from '../support/test-app.ts';

const { server } = await useForwarding();
let operator: TestAccount;
let counter = 0;

beforeAll(async () => {
  operator = await createOperator(server, 'secretary');
});

const post = (operation: string, json: object) =>
  send(server, operator, `POST /owner/groups/${operation}`, json);

/** A choir of its own: two members, and a list with their voices. */
async function createChoir() {
  counter += 1;
  const choir = `choir${counter}`;
  const members = await Promise.all(
    ['anna', 'karl'].map(async (name) => {
      const account = await server.createForwardedAccount(
        `${name}-${choir}`,
        `${name}@${choir}.example.com`,
      );
      await server.sql`UPDATE forwarding_settings SET forwarding_confirmed = true
        WHERE account_id = ${account.id}`;
      return account;
    }),
  );
  const [alto, bass] = [`Alto ${choir}`, `Bass ${choir}`];
  const list = (...voices: [name: string, voice: string][]) =>
    `email;Stimme\n${voices.map(([name, voice]) => `${name}@${choir}.example.com;${voice}`).join('\n')}\n`;
  const read = async () => {
    const { groups } = await operator.owner.groups.listGroups();
    const own = groups.filter(({ name }) => [alto, bass].includes(name));
    return Object.fromEntries(own.map(({ name, members: count }) => [name, count]));
  };
  return { choir, alto, bass, list, read, anna: members[0]!, karl: members[1]! };
}
const groupsOf = async ({ id }: { id: string }) =>
  (await operator.owner.members.getMember({ account_id: id })).member.groups.map(
    ({ name, sources }) => [name, ...sources],
  );

it('a list puts members into the groups of its column, which are shown before, and can be taken back for a day', async () => {
  const { alto, bass, list, read, anna, karl } = await createChoir();
  const csv = list(
    ['ANNA', alto],
    ['karl', `${bass}, ${alto.toUpperCase()}, ${alto}`],
    ['nobody', bass],
    ['karl', ''],
  );
  const entry = { invited: 0, removed: 0 };
  const groups = [
    { id: null, name: alto, lines: 2, added: 2, ...entry },
    { id: null, name: bass, lines: 2, added: 1, ...entry },
  ];
  expect(await post('check-import', { csv })).toMatchObject(okBody({ groups, unknown_lines: [4] }));
  expect(await read()).toEqual({});

  const { import_id } = await operator.owner.groups.importMembers({ csv });
  expect(await read()).toEqual({ [alto]: 2, [bass]: 1 });
  expect(await groupsOf(karl)).toEqual([
    [alto, 'import'],
    [bass, 'import'],
  ]);
  expect(await operator.owner.groups.importMembers({ csv })).toMatchObject({ import_id: null });
  const { imports, groups: listed } = await operator.owner.groups.listGroups();
  expect(imports[0]).toMatchObject({ id: import_id });
  // By hand, too: stays.
  const group_id = listed.find(({ name }) => name === alto)!.id;
  await operator.owner.groups.addMembers({ group_id, account_ids: [anna.id] });
  await operator.owner.groups.revokeImport({ import_id: import_id! });
  expect(await read()).toEqual({ [alto]: 1 });
  expect(await groupsOf(anna)).toEqual([[alto, 'hand']]);
  const again = { import_id };
  expect(await post('revoke-import', again)).toMatchObject(errorCode(404, 'importNotFound'));
});

it('a list whose groups have names that are too long is refused, so that no two of them become one', async () => {
  const { alto, list } = await createChoir();
  const long = alto.padEnd(61, 'x');
  const csv = list(['anna', alto], ['karl', `${alto}, ${long}`]);
  for (const operation of ['check-import', 'import-members'])
    expect(await post(operation, { csv })).toMatchObject(
      errorText(400, 'The name of a group in line 3 has more than 60 characters. Shorten it.'),
    );
});

it('without groups, the column of a list that names them is not used', async () => {
  const { alto, list } = await createChoir();
  const { app } = await openTestApp({ FEATURES_OFF: ['groups'] }, server.database);
  const json = { csv: list(['anna', alto]) };
  expect(
    await send({ app }, operator, 'POST /owner/invitations/check-invitations', json),
  ).toMatchObject(okBody({ columns: [{ field: 'email' }, { title: 'Stimme', field: null }] }));
});

it('a list creates no group for lines that have no effect', async () => {
  const { alto, bass, list, read } = await createChoir();
  const csv = list(['anna', alto], ['nobody', bass]);
  expect(await operator.owner.groups.checkImport({ csv })).toMatchObject({
    groups: [{ name: alto }, { name: bass }],
  });
  expect(await operator.owner.groups.importMembers({ csv })).toMatchObject({
    groups: [{ name: alto }],
    unknown_lines: [3],
  });
  expect(await read()).toEqual({ [alto]: 1 });
  const others = list(['nobody', bass]);
  expect(await operator.owner.groups.importMembers({ csv: others })).toMatchObject({
    import_id: null,
    groups: [],
  });
});

it('a group that is taken back with its list returns from the bin with its members and invited people', async () => {
  const { choir, alto, list, read, anna } = await createChoir();
  const link = await createInvitationLink(server.db, '', { days: 7 });
  await server.sql`UPDATE invitations SET email = ${`dora@${choir}.example.com`}, mail_state = 'sent'
    WHERE id = ${link.id}`;
  const csv = list(['anna', alto], ['dora', alto]);
  const { import_id } = await operator.owner.groups.importMembers({ csv });
  const { imports } = await operator.owner.groups.listGroups();
  const would = { id: import_id, groups: 1, members: 1, invited: 1, restored: 0 };
  expect(imports[0]).toMatchObject(would);
  await operator.owner.groups.revokeImport({ import_id: import_id! });
  expect(await read()).toEqual({});
  const { groups: bin } = await operator.owner.groups.listGroups({ deleted: true });
  const { id: group_id } = bin.find(({ name }) => name === alto)!;
  const { group } = await operator.owner.groups.updateGroup({ group_id, deleted: false });
  expect(group).toMatchObject({ members: 1, invited: 1 });
  expect(await groupsOf(anna)).toEqual([[alto, 'import']]);
});

it('who accepts an invitation that a list took out of a group is in the group again when the list is taken back', async () => {
  const { choir, alto, bass, list, read, anna, karl } = await createChoir();
  const link = await createInvitationLink(server.db, '', { days: 7 });
  await server.sql`UPDATE invitations SET email = ${`dora@${choir}.example.com`} WHERE id = ${link.id}`;
  const late = await createInvitationLink(server.db, '', { days: 7 });
  await server.sql`UPDATE invitations SET email = ${`emil@${choir}.example.com`} WHERE id = ${late.id}`;
  const everybody = list(['anna', alto], ['dora', alto], ['emil', alto]);
  await operator.owner.groups.importMembers({ csv: everybody });
  // Can be renewed.
  await server.sql`UPDATE invitations SET expires_at = now() WHERE id = ${late.id}`;
  const csv = list(['anna', alto], ['anna', bass]);
  const { import_id } = await operator.owner.groups.importMembers({ csv, remove_others: true });
  await server.sql`UPDATE invitations SET uses = max_uses, account_id = ${karl.id} WHERE id = ${link.id}`;
  const { imports } = await operator.owner.groups.listGroups();
  expect(imports.find(({ id }) => id === import_id)).toMatchObject({ restored: 2 });
  await operator.owner.groups.revokeImport({ import_id: import_id! });
  expect(await read()).toEqual({ [alto]: 2 });
  expect(await groupsOf(karl)).toEqual([[alto, 'import']]);
  expect(await groupsOf(anna)).toEqual([[alto, 'import']]);
  expect(
    await server.sql`SELECT invitation_id FROM invitation_groups
      WHERE invitation_id IN (${link.id}, ${late.id})`,
  ).toEqual([{ invitation_id: late.id }]);
});

it('a list removes nobody unless that is asked for, and only whom a list put there', async () => {
  const { alto, bass, list, read, anna, karl } = await createChoir();
  await operator.owner.groups.importMembers({ csv: list(['anna', alto], ['karl', alto]) });
  const csv = list(['anna', bass], ['dora', alto]);
  expect(await operator.owner.groups.checkImport({ csv })).toMatchObject({
    groups: [{ removed: 2 }, { added: 1, removed: 0 }],
  });
  await operator.owner.groups.importMembers({ csv });
  expect(await read()).toEqual({ [alto]: 2, [bass]: 1 });
  const { groups } = await operator.owner.groups.listGroups();
  const group_id = groups.find(({ name }) => name === alto)!.id;
  await operator.owner.groups.addMembers({ group_id, account_ids: [karl.id] });
  const removal = { csv, remove_others: true };
  const { import_id, ...result } = await operator.owner.groups.importMembers(removal);
  expect(result.groups[0]).toMatchObject({ name: alto, removed: 1 });
  expect(await groupsOf(anna)).toEqual([[bass, 'import']]);
  expect(await groupsOf(karl)).toEqual([[alto, 'hand']]);

  await operator.owner.groups.revokeImport({ import_id: import_id! });
  expect(await groupsOf(anna)).toEqual([
    [alto, 'import'],
    [bass, 'import'],
  ]);
  const last = await operator.owner.groups.importMembers(removal);
  await server.sql`UPDATE group_imports SET created_at = now() - interval '25 hours'`;
  const old = { import_id: last.import_id };
  expect(await post('revoke-import', old)).toMatchObject(errorCode(404, 'importNotFound'));
  await runMaintenance(server.nameplate);
  expect(await server.sql`SELECT FROM group_imports`).toEqual([]);
});

it('taking a list back puts nobody into a full group, even if it is deleted', async () => {
  const { alto, list } = await createChoir();
  await operator.owner.groups.importMembers({ csv: list(['anna', alto]) });
  const removal = { csv: list(['karl', alto]), remove_others: true };
  const { import_id } = await operator.owner.groups.importMembers(removal);
  const { groups } = await operator.owner.groups.listGroups();
  const group_id = groups.find(({ name }) => name === alto)!.id;
  await operator.owner.groups.deleteGroup({ group_id });
  await server.sql`WITH fillers AS (
      INSERT INTO accounts SELECT FROM generate_series(1, 5000) RETURNING id
    ) INSERT INTO group_members (group_id, account_id, source)
      SELECT ${group_id}, id, 'hand' FROM fillers`;
  expect(await post('revoke-import', { import_id })).toMatchObject(errorCode(400, 'groupFull'));
  await server.sql`DELETE FROM accounts
    WHERE id IN (SELECT account_id FROM group_members WHERE group_id = ${group_id} AND source = 'hand')`;
});

it('invited people join the groups, and read their addresses, when they accept', async () => {
  const { choir, alto, list, read, anna } = await createChoir();
  const email = `dora@${choir}.example.com`;
  const link = await createInvitationLink(server.db, '', { days: 7 });
  await server.sql`UPDATE invitations SET email = ${email}, mail_state = 'sent'
    WHERE id = ${link.id}`;
  const csv = list(['anna', alto], ['dora', alto]);
  expect(await operator.owner.groups.importMembers({ csv })).toMatchObject({
    groups: [{ added: 1, invited: 1 }],
    unknown_lines: [],
  });
  const { groups } = await operator.owner.groups.listGroups();
  const group_id = groups.find(({ name }) => name === alto)!.id;
  for (const [id, ids] of [
    [group_id, [link.id]],
    [randomUUID(), []],
  ] as const) {
    const listed = await operator.owner.invitations.listInvitations({ group_id: id });
    expect(listed.invitations.map((invitation) => invitation.id)).toEqual(ids);
    expect(listed.counts.sent).toBe(ids.length);
  }
  // With the name and the display name that it has in the invitation, as the dashboard sends it.
  await server.sql`UPDATE invitations SET name = 'Dora', display_name = 'dora' WHERE id = ${link.id}`;
  const named = `name;email;display_name;Stimme\nDora;${email};dora;${alto}\n`;
  expect(await operator.owner.groups.checkImport({ csv: named })).toMatchObject({
    unknown_lines: [],
  });
  await server.sql`UPDATE invitations SET name = NULL, display_name = NULL WHERE id = ${link.id}`;
  const toAltos = { audience: 'groups' as const, group_ids: [group_id] };
  expect(await operator.owner.messages.previewMessage(toAltos)).toMatchObject({ invited: 1 });
  const sendTo = (id: string) =>
    operator.owner.invitations.sendInvitations({ state: 'sent', group_id: id });
  expect(await sendTo(randomUUID())).toMatchObject({ resent: 0 });
  expect(await sendTo(group_id)).toMatchObject({ resent: 1 });
  await server.sql`UPDATE invitations SET token_hash = ${hashToken(link.invitation_url.split('#')[1]!)},
    mail_state = 'sent' WHERE id = ${link.id}`;
  const address = { name: `alto-${choir}`, recipients: [], group_id };
  const { address: created } = await operator.owner.addresses.createAddress(address);
  expect(created.recipients.map(({ account_id }) => account_id)).toEqual([anna.id]);

  // Who joins must not lock the group before operators who change addresses and groups.
  const { joining } = await inTransaction(server.db, async (trx) => {
    await lockAddressChanges(trx);
    const accepting = postFromPage(server, '/owner/invitations/accept-invitation', {
      invitation_url: link.invitation_url.split('#')[1],
      display_name: `dora-${choir}`,
    });
    await waitForBlockedQuery(trx);
    await sql`SELECT FROM groups WHERE id = ${group_id} FOR UPDATE NOWAIT`.execute(trx);
    return { joining: accepting };
  });
  const { body } = await joining;
  const { account_id: id } = body as { account_id: string };
  expect(await read()).toEqual({ [alto]: 2 });
  expect(await groupsOf({ id })).toEqual([[alto, 'import']]);
  // The invitation of somebody who joined is no second place.
  await server.sql`UPDATE forwarding_settings SET login_email = ${email} WHERE account_id = ${id}`;
  expect(await operator.owner.groups.checkImport({ csv })).toMatchObject({
    groups: [{ added: 0, removed: 0 }],
  });
  const { address: changed } = await operator.owner.addresses.getAddress({
    address_id: created.id,
  });
  expect(changed.recipients.map(({ display_name, by_group }) => [display_name, by_group])).toEqual([
    [`anna-${choir}`, true],
    [`dora-${choir}`, true],
  ]);
});

it('a person who is invited and has an account joins at once, and one of a couple only with a name', async () => {
  const { choir, alto, bass, list, anna, karl } = await createChoir();
  const link = await createInvitationLink(server.db, '', { days: 7 });
  await server.sql`UPDATE invitations SET email = ${`anna@${choir}.example.com`}, mail_state = 'sent',
    created_at = now() - interval '1 year' WHERE id = ${link.id}`;
  expect(await operator.owner.groups.importMembers({ csv: list(['anna', alto]) })).toMatchObject({
    groups: [{ added: 1, invited: 0 }],
  });
  expect(await groupsOf(anna)).toEqual([[alto, 'import']]);

  await server.sql`UPDATE forwarding_settings SET login_email = forwarding_email
    WHERE account_id = ${karl.id}`;
  await server.sql`UPDATE forwarding_settings SET (login_email, forwarding_email) =
    (SELECT login_email, forwarding_email FROM forwarding_settings WHERE account_id = ${karl.id})
    WHERE account_id = ${anna.id}`;
  const csv = list(['karl', bass]);
  expect(await operator.owner.groups.checkImport({ csv })).toMatchObject({
    groups: [{ added: 0, invited: 0 }],
    unknown_lines: [2],
  });
});

it('taking back lists that overlap leaves whom another one added, and nobody after the last', async () => {
  const { alto, bass, list, read, anna } = await createChoir();
  const add = async (csv: string, remove_others = false) => {
    const { import_id } = await operator.owner.groups.importMembers({ csv, remove_others });
    return () => operator.owner.groups.revokeImport({ import_id: import_id! });
  };
  const first = list(['anna', alto]);
  const both = list(['anna', alto], ['karl', alto]);
  for (const isReversed of [false, true]) {
    const undos = [await add(first), await add(both)];
    const [undo, last] = isReversed ? undos.toReversed() : undos;
    await undo!();
    expect(await groupsOf(anna)).toEqual([[alto, 'import']]);
    await last!();
    expect(await groupsOf(anna)).toEqual([]);
  }
  const undoFirst = await add(both);
  const undoRemoval = await add(list(['karl', alto], ['anna', bass]), true);
  expect(await read()).toEqual({ [alto]: 1, [bass]: 1 });
  await undoRemoval();
  expect(await read()).toEqual({ [alto]: 2 });
  await undoFirst();
  expect(await read()).toEqual({ [alto]: 0 });
});

it('lists that can no longer be taken back are remembered as one, which keeps their members', async () => {
  const { alto, list, anna, karl } = await createChoir();
  const csv = list(['anna', alto], ['karl', alto]);
  let latest: string | null = null;
  for (let round = 0; round < 4; round += 1) {
    await server.sql`UPDATE group_imports SET created_at = now() - interval '25 hours'`;
    await runMaintenance(server.nameplate);
    latest = (await operator.owner.groups.importMembers({ csv })).import_id;
    const { groups } = await operator.owner.groups.listGroups();
    const { id: group_id } = groups.find(({ name }) => name === alto)!;
    await operator.owner.groups.removeMembers({ group_id, account_ids: [karl.id] });
  }
  const [row] = await server.sql<{ import_ids: string[] }>`SELECT import_ids FROM group_members
    WHERE account_id = ${anna.id}`;
  expect(row!.import_ids).toEqual([expect.any(String), latest]);
  await operator.owner.groups.revokeImport({ import_id: latest! });
  expect(await groupsOf(anna)).toEqual([[alto, 'import']]);
});
