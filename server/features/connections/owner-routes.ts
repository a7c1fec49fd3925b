import { randomUUID } from 'node:crypto';
import { CREATE_CONNECTION_REFUSALS, type connections } from '#contract/owner/connections.ts';
import { isServerEvent, type CarriedEventType } from '#contract/shared/event-types.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findAccountLanguage, lockAccount } from '#db/queries/accounts.ts';
import { isConnectionUsed } from '#db/queries/alerts.ts';
import {
  type ConnectionRow,
  countConnections,
  findReceiver,
  insertConnection,
  listConnections,
  type Receiver,
  replaceSecret,
  updateConnection,
} from '#db/queries/connections.ts';
import {
  deleteFinishedBeyond,
  type DeliveryRow,
  failPending,
  findDelivery,
  insertTest,
  listDeliveries,
  saveAttempt,
  summarizeDeliveries,
} from '#db/queries/deliveries.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import { isForeignKeyViolation } from '#db/sql-state.ts';
import type { App } from '#server/app.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { formatStored, translatorFor } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { parseWebhookUrl, webhookHostsOf } from '../chat/chat-client.ts';
import { messageExcerpt, sendChatMessage } from '../chat/send-message.ts';
import { describeEvent } from '../events/describe-event.ts';
import { storeEvent } from '../events/log-event.ts';
import { requireRecentLogin } from '../sessions/recent-login.ts';
import { KINDS } from './kinds/index.ts';
import { createSecret } from './kinds/webhook.ts';
import { openReceiver, openUrl, secretContext, urlContext } from './open-receiver.ts';
import { attemptDelivery, DELIVERY_ERRORS, toResult } from './send-delivery.ts';

export function connectionRoutes(app: App): Handlers<typeof connections> {
  return {
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

    sendTestEvent: async ({ accountId, body: { connection_id: id }, db, refuse, ...context }) => {
      const receiver = await findReceiver(db, accountId, id);
      if (!receiver) throw refuse('connectionNotFound');
      const delivery = await insertTest(db, id);
      await deleteFinishedBeyond(db, id, LIMITS.deliveries);
      const sent = await sendNow(app, receiver, delivery);
      return { status: 200, body: { delivery: serializeDelivery(sent, context.getTranslator()) } };
    },

    createSecret: async ({ accountId, credential, body: { connection_id: id }, db, refuse }) => {
      await requireRecentLogin(db, { accountId, credential });
      const row = await findReceiver(db, accountId, id);
      if (!row) throw refuse('connectionNotFound');
      if (KINDS[row.kind].secret !== 'key') throw refuse('secretNotUsed');
      const secret = createSecret();
      await replaceSecret(db, row, seal(app, secret, secretContext(row)));
      return { status: 200, body: { secret } };
    },

    listDeliveries: async ({ accountId, query, readDb, refuse, getTranslator }) => {
      const { connection_id: id } = query;
      if (!(await findReceiver(readDb, accountId, id))) throw refuse('connectionNotFound');
      const rows = await listDeliveries(readDb, id, LIMITS.deliveries);
      const t = getTranslator();
      return { status: 200, body: { deliveries: rows.map((row) => serializeDelivery(row, t)) } };
    },

    sendDelivery: async ({ accountId, body: { delivery_id: id }, db, refuse, getTranslator }) => {
      const delivery = await findDelivery(db, accountId, id);
      const receiver = delivery && (await findReceiver(db, accountId, delivery.connection_id));
      if (!receiver) throw refuse('deliveryNotFound');
      const sent = await sendNow(app, receiver, delivery);
      return { status: 200, body: { delivery: serializeDelivery(sent, getTranslator()) } };
    },

    sendMessage: async ({ accountId, body: { connection_id: id, payload }, db, log, refuse }) => {
      const row = await findReceiver(db, accountId, id);
      if (!row) throw refuse('connectionNotFound');
      if (row.kind !== 'discord') throw refuse('messageKindInvalid');
      const { url } = openReceiver(app, row);
      const webhook = parseWebhookUrl(url, webhookHostsOf(app.config))!;
      const detail = { connection_id: id, text: messageExcerpt(payload) };
      const message = { webhook, message: payload, detail };
      const message_id = await sendChatMessage(app, { accountId, db, log }, message);
      return { status: 200, body: { message: 'The message was sent.', message_id } };
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
  const { url, secret: secretKind } = KINDS[kind];
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

/** Sends at once, out of order and also to a connection that is switched off. */
async function sendNow(app: App, receiver: Receiver, delivery: DeliveryRow): Promise<DeliveryRow> {
  const t = translatorFor(await findAccountLanguage(app.db, receiver.account_id));
  const signal = new AbortController().signal;
  const attempt = await attemptDelivery(app, receiver, delivery, { t, signal });
  const unsentStatus = delivery.status === 'pending' ? 'pending' : 'failed';
  return (await saveAttempt(app.db, delivery.id, toResult(attempt, unsentStatus))) ?? delivery;
}

async function serializeConnections(
  db: ReadDatabase,
  app: App,
  rows: readonly ConnectionRow[],
  { email, t }: { email: string | null; t: Translator },
) {
  const ids = rows.map(({ id }) => id);
  const { pending, last } = await summarizeDeliveries(db, ids);
  return rows.map(({ encrypted_url, account_id, ...row }) => {
    const { url } = KINDS[row.kind];
    const address = url ? openUrl(app, { encrypted_url, account_id, ...row }) : email;
    const lastDelivery = last.get(row.id);
    return {
      ...serializeTimes(row),
      address: address == null ? null : (url?.mask(address) ?? address),
      pending: pending.get(row.id) ?? 0,
      last_delivery: lastDelivery ? serializeDelivery(lastDelivery, t) : null,
    };
  });
}

function serializeDelivery({ connection_id: _id, error, ...row }: DeliveryRow, t: Translator) {
  const { type, data } = row;
  return {
    ...serializeTimes(row),
    summary: describeEvent(t, { type, outcome: 'succeeded', detail: data }).summary,
    error: formatStored(DELIVERY_ERRORS, error, t),
  };
}
