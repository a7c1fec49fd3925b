import { z } from 'zod';
import { insertDeliveries } from '#db/queries/deliveries.ts';
import { findAlertConnection } from '#db/queries/alerts.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { defineJob } from '#server/platform/jobs/define-job.ts';
import { queueRuns } from '../connections/delivery-job.ts';
import { AlertMessage } from './alert-message.ts';

/** Jobs that servers of version 0.1.0 added. Their messages become deliveries. */
export const alertMessageJob = defineJob({
  kind: 'alert-message',
  schema: z.object({
    alertId: z.string(),
    message: AlertMessage.extend({ kind: z.enum(['firing', 'recovered', 'test']) }),
  }),
  pollSeconds: 60,
  expireSeconds: 60,
  run: ({ db, jobs }, { alertId, message: { kind, title: _title, ...message } }) =>
    inTransaction(db, async (trx) => {
      const alert = await findAlertConnection(trx, alertId);
      if (!alert) return;
      const { account_id: accountId, connection_id: connectionId, ...row } = alert;
      const isFiring = kind === 'firing';
      const ids = await insertDeliveries(
        trx,
        { accountId, connectionId },
        {
          type: isFiring ? 'alert_firing' : 'alert_recovered',
          data: {
            ...{ alert_id: alertId, ...row, ...message },
            alert: `${message.project}: ${message.text}`,
            state: isFiring ? 'firing' : 'fine',
          },
        },
      );
      await queueRuns(trx, jobs, ids);
    }),
});
