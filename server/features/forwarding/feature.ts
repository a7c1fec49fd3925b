import type { Transaction } from '#db/connections/handles.ts';
import { findForwarding } from '#db/queries/forwarding-settings.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { changeForwardedName } from './change-forwarded-name.ts';
import { changeMail, confirmationMail } from './destination-mails.ts';
import { findForwardingState } from './forwarding-finding.ts';
import { createForwarding, enqueueAccountSync, type ForwardingService } from './forwarding.ts';
import { forwardingRoutes } from './owner-routes.ts';
import { forwardingJob } from './reconcile.ts';
import { emailForwardingRoutes } from './routes.ts';
import { startForwarding } from './start-forwarding.ts';
import { findUnconfirmedInbox } from './unconfirmed-finding.ts';

const syncAccount = (
  trx: Transaction,
  app: { forwarding: ForwardingService },
  { accountId }: { accountId: string },
) => enqueueAccountSync(trx, app.forwarding, accountId);

export const forwarding = defineFeature({
  name: 'forwarding',
  service: (app: Core) => createForwarding({ ...app, logger: app.log }),
  reactions: {
    nameChanged: changeForwardedName,
    accountClosed: syncAccount,
    accountSuspended: syncAccount,
    addressConfirmed: startForwarding,
  },
  findings: [findForwardingState],
  ownToDo: [findUnconfirmedInbox],
  routes: {
    public: { emailForwarding: emailForwardingRoutes },
    owner: { forwarding: forwardingRoutes },
  },
  jobs: [forwardingJob],
  mails: [changeMail, confirmationMail],
  onStart: (app: { forwarding: ForwardingService }) => app.forwarding.addMissingJobs(),
  deletesByAge: (app: { forwarding: ForwardingService }) =>
    app.forwarding.deleteUnusedDestinations(),
  expiring: ['forwarding_destinations', 'pending_emails'],
  accountTables: {
    forwarding_destinations: 'not exported: hashes of addresses, and pending mails',
    forwarding_settings: 'exported',
    pending_emails: 'exported',
  },
  exportFiles: (db, { accountId }) => [
    jsonFile(
      'forwarding.json',
      'The address that receives login links and mail to the display name.',
      () => findForwarding(db, accountId),
    ),
  ],
});
