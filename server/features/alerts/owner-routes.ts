import type { alerts } from '#contract/owner/alerts.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import {
  type AlertRow,
  countAlerts,
  hasAlert,
  insertAlert,
  listAlerts,
  updateAlert,
} from '#db/queries/alerts.ts';
import { findConnection } from '#db/queries/connections.ts';
import { findOwnProjects } from '#db/queries/projects.ts';
import { deleteOwnRow } from '#db/queries/rows.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { formatStored } from '#server/platform/text/language.ts';
import type { Translator } from '#translations/translator.ts';
import { ALERT_ERRORS } from './alert-message.ts';

export const alertRoutes: Handlers<typeof alerts> = {
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
    const t = getTranslator();
    return { alerts: rows.map((row) => serializeAlert(row, t)) };
  },

  createAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
    const { project_id: projectId } = body;
    // Without the lock, concurrent requests could exceed the alert limit.
    await lockAccount(db, accountId);
    if ((await countAlerts(db, accountId)) >= LIMITS.alerts)
      throw refuse('alertLimitReached', { limit: LIMITS.alerts });
    if ((await findOwnProjects(db, accountId, [projectId])).length === 0)
      throw refuse('projectNotFound');
    if (!(await isOwnConnection(db, accountId, body.connection_id)))
      throw refuse('connectionNotFound');
    const alert = await insertAlert(db, { ...body, accountId, projectId });
    return { alert: serializeAlert(alert, getTranslator()) };
  },

  updateAlert: async ({ accountId, body, db, refuse, getTranslator }) => {
    const { alert_id: id } = body;
    await lockAccount(db, accountId);
    if (!(await hasAlert(db, accountId, id))) throw refuse('alertNotFound');
    if (!(await isOwnConnection(db, accountId, body.connection_id)))
      throw refuse('connectionNotFound');
    const alert = await updateAlert(db, { ...body, accountId, id });
    if (!alert) throw refuse('alertNotFound');
    return { alert: serializeAlert(alert, getTranslator()) };
  },

  deleteAlert: async ({ accountId, body: { alert_id: id }, db, refuse }) => {
    if (!(await deleteOwnRow(db, 'alerts', { accountId, id }))) throw refuse('alertNotFound');
  },
};

async function isOwnConnection(
  db: ReadDatabase,
  accountId: string,
  id: string | null | undefined,
): Promise<boolean> {
  return !id || (await findConnection(db, accountId, id)) !== undefined;
}

function serializeAlert({ id, project_id: _project, ...alert }: AlertRow, t: Translator) {
  return {
    id,
    ...serializeTimes(alert),
    last_error: formatStored(ALERT_ERRORS, alert.last_error, t),
  };
}
