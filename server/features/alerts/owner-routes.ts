import type { alerts } from '#contract/owner/alerts.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type AlertRow,
  deleteAlert,
  findAlert,
  insertAlert,
  listAlerts,
  updateAlert,
} from '#db/queries/alerts/alerts.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import type { App } from '#server/app.ts';
import type { Handlers } from '#server/http/contract/register-contract.ts';
import { formatStored } from '#server/language.ts';
import type { Translator } from '#translations/translator.ts';
import { assertAlertAllowed, assertAlertTarget, findAlertAddress } from './save-alert.ts';
import { ALERT_ERRORS } from './alert-message.ts';
import { sendTestAlert } from './test-alert.ts';

export function alertRoutes(app: App): Handlers<typeof alerts> {
  const { outbox } = app;
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
      const address = await findAlertAddress(readDb, outbox, accountId);
      const t = getTranslator();
      return { status: 200, body: { alerts: rows.map((row) => serializeAlert(row, t)), address } };
    },

    createAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
      const {
        project_id: projectId,
        webhook_id: webhookId = null,
        pause_minutes: pauseMinutes,
        threshold = null,
        ...condition
      } = body;
      const settings = { ...condition, threshold, pauseMinutes, webhookId };
      await assertAlertAllowed(db, accountId);
      if ((await findOwnProjects(db, accountId, [projectId])).length === 0)
        throw refuse('projectNotFound');
      await assertAlertTarget(db, outbox, { accountId, webhookId });
      const alert = await insertAlert(db, { ...settings, accountId, projectId });
      return { status: 200, body: { alert: serializeAlert(alert, getTranslator()) } };
    },

    updateAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
      const {
        alert_id: id,
        webhook_id: webhookId = null,
        pause_minutes: pauseMinutes,
        threshold = null,
        ...condition
      } = body;
      const settings = { ...condition, threshold, pauseMinutes, webhookId };
      await lockAccount(db, accountId);
      if (!(await findAlert(db, accountId, id))) throw refuse('alertNotFound');
      await assertAlertTarget(db, outbox, { accountId, webhookId });
      const alert = await updateAlert(db, { ...settings, accountId, id });
      if (!alert) throw refuse('alertNotFound');
      return { status: 200, body: { alert: serializeAlert(alert, getTranslator()) } };
    },

    deleteAlert: async ({ accountId, body: { alert_id: alertId }, db, refuse }) => {
      if (!(await deleteAlert(db, accountId, alertId))) throw refuse('alertNotFound');
      return { status: 200, body: { success: true } };
    },

    testAlert: async ({ accountId, body: { alert_id: alertId }, db, log, refuse }) => {
      const alert = await findAlert(db, accountId, alertId);
      if (!alert) throw refuse('alertNotFound');
      await sendTestAlert(app, { accountId, alert, db, log });
      return { status: 200, body: { success: true } };
    },
  };
}

function serializeAlert({ id, project_id: _project, ...alert }: AlertRow, t: Translator) {
  const { created_at, changed_at, evaluated_at, sent_at } = alert;
  return {
    alert_id: id,
    ...alert,
    created_at: created_at.toISOString(),
    changed_at: changed_at?.toISOString() ?? null,
    evaluated_at: evaluated_at?.toISOString() ?? null,
    sent_at: sent_at?.toISOString() ?? null,
    last_error: formatStored(ALERT_ERRORS, alert.last_error, t),
  };
}
