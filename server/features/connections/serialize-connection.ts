import { DELIVERED_EVENT_TYPES, isServerEvent } from '#contract/shared/event-types.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { ConnectionRow } from '#db/queries/connections.ts';
import { type DeliveryRow, summarizeDeliveries } from '#db/queries/deliveries.ts';
import { findOwnerAddress } from '#db/queries/owner-mails.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/caller.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { describeEvent, findKeyLabels, type LabelsByKeyId } from '../events/describe-event.ts';
import { readableTypes } from '../events/readable-types.ts';
import type { ConnectionServices } from './kinds/connection-kind.ts';
import { KINDS } from './kinds/index.ts';
import { isFormerSecretValid, openUrl } from './open-receiver.ts';
import { DELIVERY_ERRORS } from './send-delivery.ts';

/** Null if there is no confirmed address or the server sends no mail. */
export async function findEmail(
  db: ReadDatabase,
  { outbox }: Pick<Core, 'outbox'>,
  accountId: string,
): Promise<string | null> {
  return outbox.isAvailable ? ((await findOwnerAddress(db, accountId)) ?? null) : null;
}

export function withoutSecrets({
  account_id: _account,
  encrypted_url: _url,
  encrypted_secret: _secret,
  encrypted_former_secret: _formerSecret,
  failures: _failures,
  ...row
}: ConnectionRow) {
  return row;
}

/** Without deliveries that the caller may not read. */
export async function serializeConnections(
  app: ConnectionServices,
  { db, ...caller }: Pick<Caller, 'accountId' | 'scope'> & { db: ReadDatabase },
  rows: readonly ConnectionRow[],
  t: Translator,
) {
  const ids = rows.map(({ id }) => id);
  const types = await readableTypes(db, caller, DELIVERED_EVENT_TYPES);
  const labels = await findKeyLabels(db, caller.accountId);
  const { pending, last } = await summarizeDeliveries(db, ids, types);
  return Promise.all(
    rows.map(async (row) => {
      const { url } = KINDS[row.kind];
      const target = url ? openUrl(app, row) : await findEmail(db, app, row.account_id);
      const lastDelivery = last.get(row.id);
      return {
        ...serializeTimes({
          ...withoutSecrets(row),
          former_secret_until: isFormerSecretValid(row) ? row.former_secret_until : null,
        }),
        target: target && url ? url.mask(target) : (target ?? null),
        pending: pending.get(row.id) ?? 0,
        last_delivery: lastDelivery ? serializeDelivery(lastDelivery, { types, labels, t }) : null,
      };
    }),
  );
}

/** A test has summaries by type, also of the server. */
export function serializeDelivery(
  { connection_id: _id, error, data: stored, ...row }: DeliveryRow,
  { types, labels, t }: { types: readonly string[]; labels: LabelsByKeyId; t: Translator },
) {
  const { type } = row;
  const data = Object.fromEntries(
    Object.entries(stored).filter(([key]) => !isServerEvent(key) || types.includes(key)),
  );
  return {
    ...serializeTimes({ ...row, data }),
    summary: describeEvent(t, { type, outcome: 'succeeded', detail: data }, labels).summary,
    error: formatStored(DELIVERY_ERRORS, error, t),
  };
}
