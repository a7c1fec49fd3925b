import { randomUUID } from 'node:crypto';
import { CREATE_CONNECTION_REFUSALS, type connections } from '#contract/owner/connections.ts';
import { CONNECTION_KINDS } from '#contract/shared/connection-kinds.ts';
import { isServerEvent, type CarriedEventType } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { isConnectionUsed } from '#db/queries/alerts.ts';
import {
  type ConnectionRow,
  countConnections,
  findReceiver,
  insertConnection,
  listConnections,
  replaceSecret,
  updateConnection,
} from '#db/queries/connections.ts';
import { failPending } from '#db/queries/deliveries.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import type { App } from '#server/app.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { storeEvent } from '../events/log-event.ts';
import { requireRecentLogin } from '../sessions/recent-login.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { KINDS } from './kinds/index.ts';
import { createSecret } from './kinds/webhook.ts';
import { secretContext, urlContext } from './open-receiver.ts';
import { serializeConnections } from './serialize-connection.ts';

export function connectionRoutes(app: App): Handlers<typeof connections> {
  return {
    ...deliveryRoutes(app),

    listConnections: async ({ accountId, readDb, getTranslator }) => {
      const rows = await listConnections(readDb, accountId);
      const email = await findEmail(readDb, app, accountId);
      const context = { email, t: getTranslator() };
      return {
        status: 200,
        body: {
          connections: await serializeConnections(readDb, app, rows, context),
          available: app.secretBox !== undefined,
          email,
        },
      };
    },

    createConnection: async ({ accountId, credential, body, db, refuse, getTranslator }) => {
      await requireRecentLogin(db, { accountId, credential });
      // Without the lock, concurrent requests could exceed the limit.
      await lockAccount(db, accountId);
      if ((await countConnections(db, accountId)) >= LIMITS.connections)
        throw refuse('connectionLimitReached', { limit: LIMITS.connections });
      const event_types = unique(body.event_types);
      if (!(await mayCarry(db, accountId, event_types))) throw refuse('operatorEventForbidden');
      const { kind, name } = body;
      const id = randomUUID();
      const email = await findEmail(db, app, accountId);
      if (!KINDS[kind].url && email === null) throw refuse('connectionEmailMissing');
      const { sealed, secret } = sealFields(app, { account_id: accountId, id }, body);
      const row = { id, account_id: accountId, kind, name, event_types, ...sealed };
      const inserted = await insertConnection(db, row);
      const detail = { connection_id: id, connection: name, by: credentialId(credential) };
      const event = { accountId, type: 'connection_created', detail } as const;
      await storeEvent(db, event, app.allowances.eventLimit);
      const [connection] = await serializeConnections(db, app, [inserted], {
        email,
        t: getTranslator(),
      });
      return { status: 200, body: { connection: connection!, secret } };
    },

    updateConnection: async ({ accountId, body, db, refuse, getTranslator }) => {
      const { connection_id: id, name, enabled } = body;
      const event_types = body.event_types && unique(body.event_types);
      if (!(await mayCarry(db, accountId, event_types ?? [])))
        throw refuse('operatorEventForbidden');
      const row = await updateConnection(db, { accountId, id }, { name, event_types, enabled });
      if (!row) throw refuse('connectionNotFound');
      if (enabled === false) await failPending(db, id, { error: { code: 'connectionOff' } });
      const context = { email: await findEmail(db, app, accountId), t: getTranslator() };
      const [connection] = await serializeConnections(db, app, [row], context);
      return { status: 200, body: { connection: connection! } };
    },

    deleteConnection: async ({ accountId, credential, body, db, refuse }) => {
      const { connection_id: id } = body;
      await lockAccount(db, accountId);
      const row = await findReceiver(db, accountId, id);
      if (!row) throw refuse('connectionNotFound');
      if (await isConnectionUsed(db, accountId, id)) throw refuse('connectionInUse');
      await deleteOwnRow(db, 'connections', { accountId, id }).catch((error: unknown) => {
        // An alert started to use the connection after the check above.
        throw isForeignKeyViolation(error) ? refuse('connectionInUse', { cause: error }) : error;
      });
      const detail = { connection_id: id, connection: row.name, by: credentialId(credential) };
      const event = { accountId, type: 'connection_deleted', detail } as const;
      await storeEvent(db, event, app.allowances.eventLimit);
      return { status: 200, body: { success: true } };
    },

    createSecret: async ({ accountId, credential, body: { connection_id: id }, db, refuse }) => {
      await requireRecentLogin(db, { accountId, credential });
      const row = await findReceiver(db, accountId, id);
      if (!row) throw refuse('connectionNotFound');
      if (CONNECTION_KINDS[row.kind].secret !== 'key') throw refuse('secretNotUsed');
      const secret = createSecret();
      await replaceSecret(db, row, seal(app, secret, secretContext(row)));
      return { status: 200, body: { secret } };
    },
  };
}

function unique(types: readonly CarriedEventType[]): CarriedEventType[] {
  return [...new Set(types)];
}

async function mayCarry(
  db: ReadDatabase,
  accountId: string,
  types: readonly CarriedEventType[],
): Promise<boolean> {
  return !types.some(isServerEvent) || isOperator(db, accountId);
}

/** Null if there is no confirmed address or the server sends no mail. */
async function findEmail(
  db: ReadDatabase,
  { outbox }: Pick<App, 'outbox'>,
  accountId: string,
): Promise<string | null> {
  return outbox.isAvailable ? ((await findOwnerAddress(db, accountId)) ?? null) : null;
}

const refuse = createRefuser(CREATE_CONNECTION_REFUSALS);

function seal({ secretBox }: Pick<App, 'secretBox'>, text: string, context: string): Buffer {
  if (!secretBox) throw refuse('connectionsNotStored');
  return secretBox.seal(text, context);
}

/** Refuses fields that do not fit the kind. `secret` is a new key, which is shown once. */
function sealFields(
  app: Pick<App, 'config' | 'secretBox'>,
  row: Pick<ConnectionRow, 'account_id' | 'id'>,
  {
    kind,
    url: text,
    token,
  }: Parameters<Handlers<typeof connections>['createConnection']>[0]['body'],
) {
  const { url } = KINDS[kind];
  const { secret: secretKind } = CONNECTION_KINDS[kind];
  if (!url && text) throw refuse('connectionFieldNotUsed', { field: 'url' });
  if (secretKind !== 'token' && token) throw refuse('connectionFieldNotUsed', { field: 'token' });
  const address = url?.parse(app.config, text ?? '');
  if (url && address === undefined)
    throw refuse('connectionUrlInvalid', { rule: (t) => url.rule(t, app.config) });
  const key = secretKind === 'key' ? createSecret() : null;
  const secret = key ?? token;
  const sealed = {
    encrypted_url: address === undefined ? null : seal(app, address, urlContext(row)),
    encrypted_secret: secret ? seal(app, secret, secretContext(row)) : null,
  };
  return { sealed, secret: key };
}
