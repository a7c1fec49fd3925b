import { randomUUID } from 'node:crypto';
import { CREATE_CONNECTION_REFUSALS, type connections } from '#contract/owner/connections.ts';
import { CONNECTION_KINDS } from '#contract/shared/connection-kinds.ts';
import { isServerEvent, type CarriedEventType } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type ConnectionRow,
  findConnection,
  hasNoServerEvents,
  insertConnection,
  listConnections,
  newSecret,
  SWITCHED_OFF,
  SWITCHED_ON,
  updateConnection,
  WORKING,
} from '#db/queries/connections.ts';
import { failPending } from '#db/queries/deliveries.ts';
import { isOperator } from '#db/queries/operators.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import { type Caller, credentialId } from '#server/platform/caller.ts';
import { requireRecentLogin } from '#server/platform/http/access/recent-login.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { queueDeliveries } from '../events/delivery-queue.ts';
import { storeEvent } from '../events/log-event.ts';
import { mayReadServerEvents } from '../events/readable-types.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import { KINDS } from './kinds/index.ts';
import { createSecret } from './kinds/webhook.ts';
import { openUrl, secretContext, urlContext } from './open-receiver.ts';
import { findOriginProblem } from './receivers.ts';
import { findEmail, serializeConnections } from './serialize-connection.ts';

export function connectionRoutes(app: ConnectionServices): Handlers<typeof connections> {
  return {
    ...deliveryRoutes(app),

    listConnections: async ({ accountId, scope, readDb, getTranslator }) => {
      const rows = await listConnections(readDb, accountId);
      const reader = { accountId, scope, db: readDb };
      const list = await serializeConnections(app, reader, rows, getTranslator());
      const email = await findEmail(readDb, app, accountId);
      return { connections: list, available: app.secretBox !== undefined, email };
    },

    createConnection: async ({
      accountId,
      actorId,
      scope,
      credential,
      body,
      db,
      refuse,
      getTranslator,
    }) => {
      // Without the lock, concurrent requests could exceed the limit.
      await lockAccount(db, accountId);
      if ((await listConnections(db, accountId)).length >= LIMITS.connections)
        throw refuse('connectionLimitReached', { limit: LIMITS.connections });
      const { kind, name, event_types } = body;
      const caller = { accountId, scope, db };
      if (!(await mayCarry(caller, event_types))) throw refuse('operatorEventForbidden');
      if (!KINDS[kind].url && (await findEmail(db, app, accountId)) === null)
        throw refuse('connectionEmailMissing');
      const id = randomUUID();
      const address = await parseUrl(app, db, accountId, body);
      const { sealed, secret } = sealFields(app, { account_id: accountId, id }, body, address);
      const actor_id = actorId === accountId ? null : actorId;
      const fields = { id, account_id: accountId, actor_id, kind, name, event_types, ...sealed };
      const row = await insertConnection(db, fields);
      await storeChange(db, app, 'connection_created', row, credential);
      const [connection] = await serializeConnections(app, caller, [row], getTranslator());
      return { connection: connection!, secret };
    },

    updateConnection: async ({ accountId, scope, credential, body, db, refuse, getTranslator }) => {
      const { connection_id: id, enabled, url, token, ...fields } = body;
      const caller = { accountId, scope, db };
      const stored = await findConnection(db, accountId, id);
      if (!stored) throw refuse('connectionNotFound');
      // What was read can be sent back.
      const added = fields.event_types?.filter((type) => !stored.event_types.includes(type)) ?? [];
      if (!(await mayCarry(caller, added))) throw refuse('operatorEventForbidden');
      const isReplaced = url != null || token !== undefined;
      if (isReplaced) await requireRecentLogin(db, { credential });
      const receiver = isReplaced && (await sealNewReceiver(app, db, stored, { url, token }));
      const state = enabled !== undefined && (enabled ? SWITCHED_ON : SWITCHED_OFF);
      const change = { ...fields, ...(receiver && receiver.fields), ...state };
      // What callers may not have sent, they must not redirect, switch on or sign anew.
      const mayChange = !(isReplaced || enabled) || (await mayReadServerEvents(db, caller));
      const condition = mayChange ? undefined : hasNoServerEvents;
      const row = await updateConnection(db, stored, change, condition);
      if (!row) throw refuse(mayChange ? 'connectionNotFound' : 'operatorConnectionForbidden');
      if (receiver) {
        if (receiver.isMoved) await storeChange(db, app, 'connection_updated', row, credential);
        await queueDeliveries(db, app.jobs, [id]);
      }
      if (enabled === false) await failPending(db, id, 'connectionOff');
      const [connection] = await serializeConnections(app, caller, [row], getTranslator());
      return { connection: connection! };
    },

    deleteConnection: async ({ accountId, credential, body, db, refuse }) => {
      await lockAccount(db, accountId);
      const row = await findConnection(db, accountId, body.connection_id);
      if (!row) throw refuse('connectionNotFound');
      await deleteOwnRow(db, 'connections', { accountId, id: row.id }).catch((error: unknown) => {
        throw isForeignKeyViolation(error) ? refuse('connectionInUse', { cause: error }) : error;
      });
      await storeChange(db, app, 'connection_deleted', row, credential);
    },

    createSecret: async ({ accountId, scope, body, db, refuse }) => {
      const row = await findConnection(db, accountId, body.connection_id);
      if (!row) throw refuse('connectionNotFound');
      if (CONNECTION_KINDS[row.kind].secret !== 'key') throw refuse('secretNotUsed');
      const secret = createSecret();
      const change = newSecret(seal(app, secret, secretContext(row)));
      const mayChange = await mayReadServerEvents(db, { accountId, scope });
      if (!(await updateConnection(db, row, change, mayChange ? undefined : hasNoServerEvents)))
        throw refuse('operatorConnectionForbidden');
      return { secret };
    },
  };
}

async function mayCarry(
  { db, ...caller }: Pick<Caller, 'accountId' | 'scope'> & { db: ReadDatabase },
  types: readonly CarriedEventType[],
): Promise<boolean> {
  return !types.some(isServerEvent) || mayReadServerEvents(db, caller);
}

async function storeChange(
  trx: Transaction,
  app: Pick<Core, 'allowances'>,
  type: 'connection_created' | 'connection_updated' | 'connection_deleted',
  { account_id: accountId, id, name }: ConnectionRow,
  credential: Caller['credential'],
): Promise<void> {
  const detail = { connection_id: id, connection: name, by: credentialId(credential) };
  await storeEvent(trx, app, { accountId, type, detail });
}

const refuse = createRefuser(CREATE_CONNECTION_REFUSALS);

function seal({ secretBox }: Pick<Core, 'secretBox'>, text: string, context: string): Buffer {
  if (!secretBox) throw refuse('connectionsNotStored');
  return secretBox.seal(text, context);
}

/** Refuses a URL that does not fit the kind, with what an operator can do to allow it. */
async function parseUrl(
  { config }: Pick<Core, 'config'>,
  db: ReadDatabase,
  accountId: string,
  { kind, url: text, token }: NewConnection,
): Promise<string | undefined> {
  const { url, isRelay } = KINDS[kind];
  const address = url?.parse(config, text?.trim() ?? '');
  const receiver = URL.parse(text ?? '');
  if (address !== undefined && token && receiver?.password)
    throw refuse('connectionUrlPartNotUsed', { part: CREDENTIALS });
  if (address !== undefined && isRelay?.(new URL(address), token)) {
    const isPrivate = config.CONNECTION_PRIVATE_ORIGINS.includes(new URL(address).origin);
    if (isPrivate && !(await isOperator(db, accountId))) throw refuse('connectionRelayForbidden');
  }
  if (!url || address !== undefined) return address;
  const part =
    receiver && findExtraPart(receiver, (other) => url.parse(config, other) !== undefined);
  if (part) throw refuse('connectionUrlPartNotUsed', { part });
  const problem = url.isReceiver && receiver && findOriginProblem(config, receiver);
  if (!receiver || !problem)
    throw refuse('connectionUrlInvalid', { rule: (t) => url.rule(t, config) });
  const { origin } = receiver;
  const origins = [...config.CONNECTION_PRIVATE_ORIGINS, origin].join(',');
  const isOwn = await isOperator(db, accountId);
  throw refuse(problem, {
    advice: (t) =>
      isOwn
        ? t(
            'Add CONNECTION_PRIVATE_ORIGINS={origins} to the settings of the server and restart it.',
            { origins },
          )
        : t(
            'Ask an operator to add CONNECTION_PRIVATE_ORIGINS={origin} to the settings of the server and to restart it.',
            { origin },
          ),
  });
}

const CREDENTIALS = (t: Translator) => t('the user name and password');

/** Finds the part without which the URL would be valid. */
function findExtraPart({ href }: URL, isValid: (url: string) => boolean) {
  const url = new URL(href);
  [url.username, url.password] = ['', ''];
  if (isValid(url.href)) return CREDENTIALS;
  url.search = '';
  return isValid(url.href) ? (t: Translator) => t('the part after “?”') : undefined;
}

type NewConnection = Parameters<Handlers<typeof connections>['createConnection']>[0]['body'];

/** Refuses fields that do not fit the kind. `secret` is a new key, which is shown once. */
function sealFields(
  app: Pick<Core, 'config' | 'secretBox'>,
  row: Pick<ConnectionRow, 'account_id' | 'id'>,
  { kind, url: text, token }: NewConnection,
  address: string | undefined,
) {
  const { url, token: form } = KINDS[kind];
  const { secret: secretKind, needsToken } = CONNECTION_KINDS[kind];
  if (!url && text) throw refuse('connectionFieldNotUsed', { field: 'url' });
  if (secretKind !== 'token' && token) throw refuse('connectionFieldNotUsed', { field: 'token' });
  if (needsToken && !token) throw refuse('connectionTokenMissing');
  if (token && form?.test(token) === false) throw refuse('connectionTokenInvalid');
  const key = secretKind === 'key' ? createSecret() : null;
  const secret = key ?? token;
  const sealed = {
    encrypted_url: address === undefined ? null : seal(app, address, urlContext(row)),
    encrypted_secret: secret ? seal(app, secret, secretContext(row)) : null,
  };
  return { sealed, secret: key };
}

/** A token is not sent to another URL: who may change the URL could read it there. */
async function sealNewReceiver(
  app: Pick<Core, 'config' | 'secretBox'>,
  db: ReadDatabase,
  stored: ConnectionRow,
  { url, token }: Pick<NewConnection, 'url' | 'token'>,
) {
  const oldAddress = openUrl(app, stored);
  const fields = { ...stored, url: url ?? oldAddress, token };
  const address = await parseUrl(app, db, stored.account_id, fields);
  const { sealed, secret } = sealFields(app, stored, fields, address);
  const state = stored.disabled_reason === 'gone' ? SWITCHED_ON : WORKING;
  // A webhook keeps its signing key.
  const { encrypted_url } = sealed;
  return {
    fields: secret === null ? { ...sealed, ...state } : { encrypted_url, ...state },
    isMoved: address !== oldAddress,
  };
}
