import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Schema } from '#db/schema.ts';
import { call, type TestResponse } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { createValidBody, type Endpoint, idempotentEndpoints } from '../support/endpoints.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: 'per test',
  mailEnabled: true,
  chat: { deliver: () => Promise.resolve('1') },
});

const TABLES_BY_FIELD: Readonly<Record<string, keyof Schema>> = {
  account_id: 'accounts',
  address_id: 'addresses',
  alert_id: 'alerts',
  connection_id: 'connections',
  delivery_id: 'deliveries',
  group_id: 'groups',
  identity_id: 'identities',
  invitation_id: 'invitations',
  key_id: 'api_keys',
  message_id: 'messages',
  passkey_id: 'passkeys',
  project_id: 'projects',
  recipient_id: 'address_recipients',
  session_id: 'sessions',
};

const writes = idempotentEndpoints.flatMap((endpoint) => {
  const fields = endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [];
  const idFields = fields.filter((field) => field in TABLES_BY_FIELD);
  return idFields.map((field) => ({ ...endpoint, field }));
});

/** Sends the request, and deletes the row while it runs. */
async function callDuringDeletion(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { json, isKeyed }: { json: object; isKeyed: boolean },
  { table, id }: { table: keyof Schema; id: string },
): Promise<TestResponse> {
  const headers: Record<string, string> = isKeyed ? { 'idempotency-key': randomUUID() } : {};
  const pending = await server.db.transaction().execute(async (trx) => {
    await sql`DELETE FROM ${sql.table(table)} WHERE id = ${id}`.execute(trx);
    const response = call(server.app, { method, path, key: account.key, json, headers });
    await Promise.race([response, waitForBlockedQuery(server.db)]);
    return { response };
  });
  return pending.response;
}

describe.each([
  ['plain', false],
  ['keyed', true],
])('a %s request', (kind, isKeyed) => {
  it.each(writes)(
    `a ${kind} request to $path does not fail if the row of $field is deleted meanwhile`,
    async (endpoint) => {
      const { field } = endpoint;
      const json = (await createValidBody(server, account, endpoint))!;
      const row = { table: TABLES_BY_FIELD[field]!, id: (json as Record<string, string>)[field]! };
      const { status, text } = await callDuringDeletion(endpoint, { json, isKeyed }, row);
      expect([200, 400, 403, 404], text).toContain(status);
    },
  );

  it(`a ${kind} request for a message is sent to the others if a reader deletes the account meanwhile`, async () => {
    const endpoint = idempotentEndpoints.find(({ name }) => name === 'createMessage')!;
    const json = (await createValidBody(server, account, endpoint))!;
    const { id } = await server.createAccount();
    await server.sql`UPDATE forwarding_settings SET login_email = 'sam@names.org' WHERE account_id = ${id}`;
    const row = { table: 'accounts', id } as const;
    const { status, text } = await callDuringDeletion(endpoint, { json, isKeyed }, row);
    expect(status, text).toBe(200);
  });
});
