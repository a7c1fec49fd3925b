import { LIMITS } from '#contract/shared/limits.ts';
import { ALERT_TARGET, type AlertTarget, type alerts } from '#contract/owner/alerts.ts';
import { findAccountLanguage, lockAccount } from '#db/queries/accounts.ts';
import {
  type AlertRow,
  countAlerts,
  findAlert,
  insertAlert,
  listAlerts,
  updateAlert,
} from '#db/queries/alerts.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { formatStored, translatorFor } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { findAlertAddress } from './channels/email.ts';
import { channelOf } from './channels/index.ts';
import { ALERT_ERRORS, createAlertMessage } from './alert-message.ts';

export function alertRoutes(app: App): Handlers<typeof alerts> {
  return {
    listAlerts: async ({
      accountId,
      query: { project_id: projectId },
      readDb,
      refuse,
      getTranslator,
    }) => {
      if ((await findOwnProjects(readDb, accountId, [projectId])).length === 0)
        throw refuse('projectNotFound');
      const rows = await listAlerts(readDb, accountId, projectId);
      const email = await findAlertAddress(readDb, app.outbox, accountId);
      const t = getTranslator();
      return { status: 200, body: { alerts: rows.map((row) => serializeAlert(row, t)), email } };
    },

    createAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
      const { project_id: projectId } = body;
      const target = targetOf(body);
      // Without the lock, concurrent requests could exceed the alert limit.
      await lockAccount(db, accountId);
      if ((await countAlerts(db, accountId)) >= LIMITS.alerts)
        throw refuse('alertLimitReached', { limit: LIMITS.alerts });
      if ((await findOwnProjects(db, accountId, [projectId])).length === 0)
        throw refuse('projectNotFound');
      await channelOf(target).assertTarget(db, app, { accountId, target });
      const alert = await insertAlert(db, { ...body, target, accountId, projectId });
      return { status: 200, body: { alert: serializeAlert(alert, getTranslator()) } };
    },

    updateAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
      const { alert_id: id } = body;
      const target = targetOf(body);
      await lockAccount(db, accountId);
      if (!(await findAlert(db, accountId, id))) throw refuse('alertNotFound');
      await channelOf(target).assertTarget(db, app, { accountId, target });
      const alert = await updateAlert(db, { ...body, target, accountId, id });
      if (!alert) throw refuse('alertNotFound');
      return { status: 200, body: { alert: serializeAlert(alert, getTranslator()) } };
    },

    deleteAlert: async ({ accountId, body: { alert_id: id }, db, refuse }) => {
      if (!(await deleteOwnRow(db, 'alerts', { accountId, id }))) throw refuse('alertNotFound');
      return { status: 200, body: { success: true } };
    },

    sendTestAlert: async ({ accountId, body: { alert_id: alertId }, db, log, refuse }) => {
      const alert = await findAlert(db, accountId, alertId);
      if (!alert) throw refuse('alertNotFound');
      const { target } = alert;
      const t = translatorFor(await findAccountLanguage(db, accountId));
      const message = createAlertMessage('test', alert, t);
      await channelOf(target).send(app, { accountId, db, log }, { alertId, target, message });
      return { status: 200, body: { success: true } };
    },
  };
}

/** Null for each channel that the alert does not use. */
function targetOf(alert: AlertTarget): Record<keyof AlertTarget, string | null> {
  const fields = Object.keys(ALERT_TARGET) as (keyof AlertTarget)[];
  return Object.fromEntries(fields.map((field) => [field, alert[field] ?? null])) as Record<
    keyof AlertTarget,
    string | null
  >;
}

function serializeAlert({ id, project_id: _project, target, ...alert }: AlertRow, t: Translator) {
  return {
    id,
    ...serializeTimes(alert),
    ...targetOf(target),
    last_error: formatStored(ALERT_ERRORS, alert.last_error, t),
  };
}
